"""Which addresses may be fetched from: public ones, whatever name or spelling they come under.

Owns the rule and the resolving. A name is resolved once, every address it has must be public, and the caller
connects to the address that was checked, so that a name cannot change its meaning in between.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable, Sequence
from urllib.parse import SplitResult, urlsplit

from plainbrain.errors import InputError, Refused, Unavailable

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
#: From a host and a port to its addresses as texts.
Resolve = Callable[[str, int], Sequence[str]]
#: Ranges that count as global and lead elsewhere all the same: 6to4, NAT64, benchmarks, and the protocol block.
_DETOURS = tuple(
    ipaddress.ip_network(net)
    for net in (
        "2002::/16",
        "64:ff9b::/96",
        "64:ff9b:1::/48",
        "2001::/32",
        "192.0.0.0/24",
        "192.88.99.0/24",
        "198.18.0.0/15",
    )
)


def check_url(url: str) -> SplitResult:
    """Return the parts of an address that may be asked. Raise InputError or Refused."""
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise InputError(f"{url!r} is no web address: {error}", value=url, hint="write https://host/path") from error
    if any(ord(c) <= 0x20 or ord(c) == 0x7F for c in url.strip()):
        raise InputError(f"{url!r} holds a space or a control character", value=url, hint="write https://host/path")
    if parts.scheme != "https" or not host:
        raise Refused(f"only https addresses are fetched, not {url!r}", value=url, hint="write https://host/path")
    if parts.username is not None or parts.password is not None:
        raise Refused("an address with a user or a password in it is not fetched", value=host)
    if port not in (None, 443):
        raise Refused(f"only port 443 is asked, not {port}", value=url)
    return parts


def resolve(host: str, port: int) -> list[str]:
    """Return the addresses of a host, as this machine finds them. Raise Unavailable."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise Unavailable(f"{host} has no address: {error}", value=host, hint="check the name") from error
    return [str(entry[4][0]) for entry in found]


def choose_public(host: str, addresses: Sequence[str]) -> str:
    """Return the address to connect to. Raise Refused unless every one of them is public."""
    if not addresses:
        raise Unavailable(f"{host} has no address", value=host)
    for text in addresses:
        if not is_public(text):
            raise Refused(
                f"{host} is at {text}, which is no public address", value=host, hint="only the public web is fetched"
            )
    return addresses[0]


def is_public(text: str) -> bool:
    """Tell whether an address is one of the open internet, not of this machine or of a network around it."""
    try:
        address: Address = ipaddress.ip_address(text)
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    detour = any(address.version == net.version and address in net for net in _DETOURS)
    return address.is_global and not address.is_multicast and not detour
