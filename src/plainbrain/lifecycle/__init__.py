"""Decisions about memories as pure functions: they return plans and findings, and touch nothing."""
