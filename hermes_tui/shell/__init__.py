"""What a command line means: grammar, rules, classifier, paths. Pure: never touches the disk."""
