/** The initial text in the editor of a new set: a set that makes an Application of each directory of a repository. */
export const newSetText = `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata:
  name: apps
spec:
  goTemplate: true
  goTemplateOptions:
    - missingkey=error
  generators:
    - git:
        repoURL: https://git.example.com/deploy.git
        revision: main
        directories:
          - path: apps/*
  template:
    metadata:
      name: '{{.path.basename}}'
    spec:
      project: default
      sourceHydrator:
        drySource:
          repoURL: https://git.example.com/deploy.git
          targetRevision: main
          path: '{{.path.path}}'
        syncSource:
          targetBranch: environments/prod
          path: '{{.path.basename}}'
      destination:
        server: https://kubernetes.default.svc
        namespace: default
`
