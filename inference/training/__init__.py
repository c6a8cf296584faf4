"""Training a draft for a target: its own replies, a small head taught to foresee them, and what that gains.

Importing this package imports neither torch nor transformers.
"""
