"""A decoder of our own for the common families: fused projections, packed weights, independent rows."""
