"""Runs the tests and the slow checks: what scripts/test, scripts/check-all and .ci/run share."""
