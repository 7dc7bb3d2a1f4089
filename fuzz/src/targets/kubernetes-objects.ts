import { parseApplicationSet } from '@wadi/application-sets/application-set.ts'
import { readObjectDocuments } from '@wadi/cli/objects/object-documents.ts'
import { parseManifests } from '@wadi/manifests/parse-manifests.ts'
import { readLocatedDocuments, readLocatedYaml } from '@wadi/params/yaml/located-yaml.ts'
import { readRepositorySecret } from '@wadi/repositories/repository-secret.ts'
import { parseAppProject } from '@wadi/resources/project/app-project.ts'
import { checkedApplication } from '@wadi/resources/application/checked-application.ts'
import { isClusterSecret, readClusterSecret } from '@wadi/resources/cluster-secret.ts'
import { checkedResource } from '@wadi/resources/object-checks.ts'
import { type Target, textBase } from '../target.ts'

const application = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: web
  namespace: argocd
  labels: {team: "shop"}
  annotations: {wadi.dev/lineage: every}
spec:
  project: default
  destination: {server: https://kubernetes.default.svc, namespace: web}
  sourceHydrator:
    drySource:
      repoURL: https://git.example.com/deploy.git
      targetRevision: main
      path: apps/web
      helm: {releaseName: web, values: "a: 1", parameters: [{name: b, value: "2", forceString: true}]}
    syncSource: {targetBranch: environments/prod, path: web}
    hydrateTo: {targetBranch: environments/prod-next}
`

const project = `apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata: {name: shop}
spec:
  sourceRepos: ['https://git.example.com/*', '!https://git.example.com/{a,b}/[x-z]?.git']
  sourceNamespaces: [argocd, 'team-*']
  destinations: [{server: '*', namespace: 'web-*'}, {name: in-cluster, namespace: '!kube-system'}]
  permitOnlyProjectScopedClusters: true
  roles:
  - name: deployer
    groups: [team:shop]
    policies: ['p, proj:shop:deployer, applications, sync, shop/*, allow']
    jwtTokens: [{iat: 1535390316, exp: 1564782718, id: x}]
`

const set = `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: addons}
spec:
  goTemplate: true
  goTemplateOptions: [missingkey=error]
  generators:
  - matrix:
      generators:
      - git: {repoURL: https://git.example.com/deploy.git, revision: HEAD, directories: [{path: apps/*}]}
      - clusters: {selector: {matchLabels: {env: prod}}, values: {a: '{{ .name }}'}}
  - list: {elements: [{cluster: a, url: https://1.2.3.4}]}
    selector: {matchExpressions: [{key: cluster, operator: In, values: [a, b]}]}
  strategy: {type: AllAtOnce}
  syncPolicy: {preserveResourcesOnDeletion: true, applicationsSync: create-update}
  template:
    metadata: {name: '{{ .path.basename }}', labels: {a: b}}
    spec:
      project: default
      source: {repoURL: https://git.example.com/deploy.git, path: '{{ .path.path }}', targetRevision: HEAD}
      destination: {server: '{{ .server }}', namespace: web}
`

const secrets = `apiVersion: v1
kind: Secret
metadata:
  name: deploy
  labels: {argocd.argoproj.io/secret-type: repository}
stringData: {url: https://git.example.com/deploy.git, username: you, password: word, insecure: "true", type: git}
---
apiVersion: v1
kind: Secret
metadata:
  name: app
  labels: {argocd.argoproj.io/secret-type: repo-creds}
data: {url: aHR0cHM6Ly9naXRodWIuY29tLw==, githubAppID: MTIz, githubAppInstallationID: NDU2}
---
apiVersion: v1
kind: Secret
metadata:
  name: cluster
  labels: {argocd.argoproj.io/secret-type: cluster}
stringData: {server: https://1.2.3.4, name: prod, namespaces: 'a,b', config: '{"tlsClientConfig":{"insecure":false}}'}
`

const manifests = `apiVersion: v1
kind: List
items:
- apiVersion: apps/v1
  kind: Deployment
  metadata: {name: web, namespace: web, annotations: &a {x: "1", on: 'yes'}}
  spec:
    template: {metadata: {annotations: *a}, spec: {containers: [{name: web, image: "nginx:1.25", args: [a, 1e3, 0o17]}]}}
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: c}
  data:
    <<: *a
    text: "a\\nb"
    long: |
      line
        indented

      last
--- # comment
apiVersion: v1
kind: Secret
metadata:
    name: s
data:
    key: !!binary aGVsbG8=
    folded: >-
        some words
        on lines
stringData: {? a : b, "c": 'd''e', 2001-12-14t21:59:43.10-05:00: x}
`

/** Readers of objects and of YAML. */
export const kubernetesObjectTargets: readonly Target[] = [
  {
    name: 'manifests',
    bases: [textBase('manifests', manifests), textBase('secrets', secrets)],
    read: (input) => parseManifests(input.toString(), { file: 'manifests.yaml' }),
  },
  {
    name: 'values',
    bases: [textBase('manifests', manifests), textBase('application', application), textBase('set', set)],
    read(input) {
      readLocatedDocuments(input.toString(), 'values.yaml')
      readLocatedYaml(input.toString(), 'values.yaml')
    },
  },
  {
    name: 'objects',
    bases: Object.entries({ application, project, set, secrets }).map(([name, text]) => textBase(name, text)),
    read(input) {
      for (const { manifest } of readObjectDocuments(input.toString(), 'objects.yaml')) {
        const resource = checkedResource(manifest)
        if (resource.kind === 'Application') checkedApplication(resource)
        else if (resource.kind === 'AppProject') parseAppProject(resource)
        else if (resource.kind === 'ApplicationSet') parseApplicationSet(resource)
        else if (isClusterSecret(resource)) readClusterSecret(resource)
        else if (resource.kind === 'Secret') readRepositorySecret(resource)
      }
    },
  },
]
