"""Requests to the web, all under one rule: only public addresses, only as much as was asked for."""
