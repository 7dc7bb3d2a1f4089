package main

import "sigs.k8s.io/kustomize/kyaml/openapi/kubernetesapi"

// builtInSchema is the schema of builds that name none.
const builtInSchema = kubernetesapi.DefaultOpenAPI
