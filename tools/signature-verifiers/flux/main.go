// Clones a branch and verifies its head as Flux's source-controller does for spec.verify of a GitRepository. Arguments: the URL, the branch,
// a directory that does not exist yet, and a file of public keys as the Secret has them: OpenPGP keys in ASCII armour, or lines of authorized_keys.
package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"time"

	"github.com/fluxcd/pkg/git"
	"github.com/fluxcd/pkg/git/gogit"
	"github.com/fluxcd/pkg/git/repository"
)

func main() {
	signer, err := verify(os.Args[1], os.Args[2], os.Args[3], os.Args[4])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(signer)
}

func verify(repositoryURL, branch, directory, keysFile string) (string, error) {
	keys, err := os.ReadFile(keysFile)
	if err != nil {
		return "", err
	}
	parsed, err := url.Parse(repositoryURL)
	if err != nil {
		return "", err
	}
	authentication, err := git.NewAuthOptions(*parsed, nil)
	if err != nil {
		return "", err
	}
	client, err := gogit.NewClient(directory, authentication)
	if err != nil {
		return "", err
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	commit, err := client.Clone(ctx, repositoryURL, repository.CloneConfig{
		CheckoutStrategy: repository.CheckoutStrategy{Branch: branch},
		ShallowClone:     true,
	})
	if err != nil {
		return "", err
	}
	if commit.IsSSHSigned() {
		return commit.VerifySSH(string(keys))
	}
	return commit.VerifyPGP(string(keys))
}
