package load

// Windows neither lists nor limits handles in a way that would matter here.
func openFiles() *int { return nil }

func openFilesLimit() *int64 { return nil }
