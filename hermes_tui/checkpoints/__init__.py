"""Rollback that never loses work: what the agent changed, path by path, and the way back.

`store.CheckpointStore` is the door. Nothing here decides when a checkpoint is taken or whether to
roll back; GitPython is imported on first need only, never at start.
"""
