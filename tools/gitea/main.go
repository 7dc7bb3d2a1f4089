// Command gitea is the forge Gitea, for tests: its own command line, `gitea --config app.ini web`. As `web`, it ends when its standard
// input does, so that it never outlives the test that holds the other end.
package main

import (
	"io"
	"os"
	"slices"
	"time"

	"code.gitea.io/gitea/cmd"
	"code.gitea.io/gitea/modules/setting"
)

func main() {
	setting.AppVer = "1.26.0"
	setting.AppStartTime = time.Now().UTC()
	if slices.Contains(os.Args[1:], "web") {
		go endWithInput()
	}
	if err := cmd.RunMainApp(cmd.NewMainApp(cmd.AppVersion{Version: setting.AppVer}), os.Args...); err != nil {
		os.Exit(1)
	}
}

func endWithInput() {
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(0)
}
