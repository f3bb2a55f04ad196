"""The ledger of changes and the shadow repository that can undo them."""
