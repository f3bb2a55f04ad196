"""Tests of the transcript widget."""
