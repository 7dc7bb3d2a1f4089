package main

import "sigs.k8s.io/kustomize/kyaml/openapi"

// builtInSchema is the schema of builds that name none.
const builtInSchema = openapi.DefaultOpenAPI
