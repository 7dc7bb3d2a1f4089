package main

import (
	"context"

	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// requester is the account that Argo CD applies objects with.
var requester = &user.DefaultInfo{
	Name:   "system:serviceaccount:argocd:argocd-application-controller",
	Groups: []string{"system:serviceaccounts", "system:serviceaccounts:argocd", "system:authenticated"},
}

// unknownRights notes that somebody asked for rights, which only the cluster knows.
type unknownRights struct {
	wereAsked bool
}

func (rights *unknownRights) Authorize(context.Context, authorizer.Attributes) (authorizer.Decision, string, error) {
	rights.wereAsked = true
	return authorizer.DecisionNoOpinion, "", nil
}
