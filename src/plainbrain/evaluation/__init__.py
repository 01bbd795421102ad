"""Measuring recall and judgement on labelled cases."""
