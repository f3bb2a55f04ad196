"""Line mode: the same engine without a full screen: for slow lines, screen readers, dumb terminals, pipes."""
