// Verifies the head of a branch as Argo CD's repo-server does for a project with signatureKeys or sourceIntegrity. Arguments: the URL, the
// branch, an empty directory to work in, and a directory with a public key under each key id, as the ConfigMap argocd-gpg-keys-cm is
// mounted. The AppProject is read from standard input, as JSON.
package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	log "github.com/sirupsen/logrus"

	"github.com/argoproj/argo-cd/v3/common"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/util/git"
	"github.com/argoproj/argo-cd/v3/util/sourceintegrity"
)

// Argo CD's scripts git-verify-wrapper.sh and gpg-wrapper.sh, as base64; the linker sets them.
var gitVerifyWrapper, gpgWrapper string

func main() {
	log.SetLevel(log.ErrorLevel)
	passed, err := verify(os.Args[1], os.Args[2], os.Args[3], os.Args[4])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(strings.Join(passed, "\n"))
}

// Returns the names of the checks that passed.
func verify(url, branch, directory, keys string) ([]string, error) {
	var project v1alpha1.AppProject
	if err := json.NewDecoder(os.Stdin).Decode(&project); err != nil {
		return nil, err
	}
	if err := installWrappers(filepath.Join(directory, "bin")); err != nil {
		return nil, err
	}
	if err := initializeKeyring(filepath.Join(directory, "gnupg")); err != nil {
		return nil, err
	}
	if _, _, err := sourceintegrity.SyncKeyRingFromDirectory(keys); err != nil {
		return nil, err
	}
	client, err := git.NewClientExt(url, filepath.Join(directory, "clone"), git.NopCreds{}, false, false, "", "")
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	revision, err := checkOut(ctx, client, branch)
	if err != nil {
		return nil, err
	}
	result, _, err := sourceintegrity.VerifyGit(ctx, project.EffectiveSourceIntegrity(), client, revision)
	if err != nil {
		return nil, err
	}
	if result == nil {
		return nil, errors.New("the project requires no signature of this repository")
	}
	return result.PassedChecks(), result.AsError()
}

func checkOut(ctx context.Context, client git.Client, branch string) (string, error) {
	revision, err := client.LsRemote(branch)
	if err != nil {
		return "", err
	}
	if err := client.Init(); err != nil {
		return "", err
	}
	if err := client.Fetch(ctx, revision, 0); err != nil {
		return "", err
	}
	_, err = client.Checkout(ctx, revision, false, true)
	return revision, err
}

// Argo CD's image has the scripts in its search path.
func installWrappers(directory string) error {
	if err := os.Mkdir(directory, 0o700); err != nil {
		return err
	}
	for name, encoded := range map[string]string{"git-verify-wrapper.sh": gitVerifyWrapper, "gpg-wrapper.sh": gpgWrapper} {
		script, err := base64.StdEncoding.DecodeString(encoded)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(directory, name), script, 0o700); err != nil {
			return err
		}
	}
	return os.Setenv("PATH", directory+":"+os.Getenv("PATH"))
}

func initializeKeyring(directory string) error {
	if err := os.Mkdir(directory, 0o700); err != nil {
		return err
	}
	if err := os.Setenv(common.EnvGnuPGHome, directory); err != nil {
		return err
	}
	return sourceintegrity.InitializeGnuPG()
}
