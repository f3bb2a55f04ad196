"""The dialogs in which the user answers: a question of the model, a permission."""
