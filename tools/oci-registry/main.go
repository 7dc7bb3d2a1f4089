// Command oci-registry is the registry of the Distribution project, for tests: `oci-registry serve config.yml`.
// It ends when its standard input does, so that it never outlives the test that holds the other end.
package main

import (
	"io"
	"os"

	"github.com/distribution/distribution/v3/registry"
	_ "github.com/distribution/distribution/v3/registry/auth/htpasswd"
	_ "github.com/distribution/distribution/v3/registry/storage/driver/inmemory"
)

func main() {
	go endWithInput()
	if err := registry.RootCmd.Execute(); err != nil {
		os.Exit(1)
	}
}

func endWithInput() {
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(0)
}
