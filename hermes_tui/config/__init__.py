"""Settings: where they live, how they load. A leaf for everyone but the engine."""
