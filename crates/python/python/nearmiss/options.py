"""Placeholder until it is written."""
