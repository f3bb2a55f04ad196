"""What answers the requests: endpoints and the rehearsal."""
