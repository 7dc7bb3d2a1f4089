// Package features takes the place of the API server's.
package features

import "k8s.io/apiserver/pkg/util/feature"

// AuthorizeWithSelectors lets expressions ask the authorizer by selectors.
const AuthorizeWithSelectors feature.Feature = "AuthorizeWithSelectors"
