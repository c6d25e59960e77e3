module weighbridge.dev/bench/engine/rig

go 1.25.0
