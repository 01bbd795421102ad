"""Use cases over the ports; ``wiring`` alone names concrete stores, indexes and embedders."""
