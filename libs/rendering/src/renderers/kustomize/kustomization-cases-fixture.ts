/** A kustomization that a test builds in every way. */
export interface KustomizationCase {
  readonly name: string
  /** The expected outcome of a compared first render. */
  readonly outcome: 'equal' | 'refused' | 'unsupported'
  /** The directory to build is `app`, beside `base`. */
  readonly files: Readonly<Record<string, string>>
}

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web # a comment
  labels: {app: web}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: web
        image: nginx:1
        env: [{name: HOST, value: $(HOST)}, {name: MODE, value: "on"}]
        envFrom: [{configMapRef: {name: settings}}, {secretRef: {name: keys}}]
        ports: [{containerPort: 80, name: http}]
      - {name: side, image: "busybox:1"}
`

const service = `apiVersion: v1
kind: Service
metadata: {name: web}
spec:
  selector: {app: web}
  ports: [{port: 80, targetPort: http}]
---
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web}
spec: {defaultBackend: {service: {name: web, port: {number: 80}}}}
`

const custom = `apiVersion: shop.example.com/v1
kind: Store
metadata: {name: main}
spec:
  deployment: web
  shelves: [{name: a, size: 1}, {name: b, size: 2}]
`

const storeDefinition = `{"definitions": {"v1.Store": {"type": "object",
  "x-kubernetes-group-version-kind": [{"group": "shop.example.com", "kind": "Store", "version": "v1"}],
  "properties": {"spec": {"type": "object", "properties": {"shelves": {"type": "array", "items": {"type": "object"},
    "x-kubernetes-patch-merge-key": "name", "x-kubernetes-patch-strategy": "merge"}}}}}}}`

const crd = `{"github.com/example/v1.Store": {"Schema": {"properties": {
  "apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"},
  "spec": {"properties": {"deployment": {"type": "object", "x-kubernetes-object-ref-api-version": "apps/v1",
    "x-kubernetes-object-ref-kind": "Deployment"}}}}}}}`

const base = {
  'base/kustomization.yaml': 'resources: [deployment.yaml, service.yaml, store.yaml]\n',
  'base/deployment.yaml': deployment,
  'base/service.yaml': service,
  'base/store.yaml': custom,
}

const patchedShelf =
  'apiVersion: shop.example.com/v1\nkind: Store\nmetadata: {name: main}\nspec: {shelves: [{name: b, size: 5}]}\n'

/** Overlays of the base with one feature each: what stands in the kustomization, and other files. */
const overlays: ReadonlyArray<readonly [name: string, text: string, files?: Record<string, string>]> = [
  ['nothing', ''],
  ['prefix and suffix', 'namePrefix: a-\nnameSuffix: -b\n'],
  ['namespace', 'namespace: other\n'],
  [
    'commonLabels',
    'commonLabels: {team: "1", tier: "yes"}\ncommonAnnotations: {note: "a: b", number: "0123"}\n',
  ],
  [
    'labels',
    'labels:\n- {pairs: {a: b}, includeSelectors: true}\n- {pairs: {c: d}, includeTemplates: true, fields: [{path: spec/x, create: true, kind: Store}]}\n',
  ],
  [
    'images',
    'images:\n- {name: nginx, newName: r.example.com/n, digest: "sha256:00"}\n- {name: busybox, newTag: "2"}\n',
  ],
  ['replicas', 'replicas: [{name: web, count: 4}]\n'],
  [
    'strategic merge',
    'patches: [{path: p.yaml}]\n',
    {
      'app/p.yaml':
        'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {containers: [{name: side, $patch: delete}, {name: web, env: [{name: MODE, value: off}, {name: NEW, value: x}]}]}}}\n',
    },
  ],
  [
    'strategic merge in place, of a custom type',
    `patches:\n- patch: |-\n${patchedShelf.replaceAll(/^/gm, '    ').trimEnd()}\n`,
  ],
  [
    'deletion of an object',
    'patches:\n- patch: |-\n    $patch: delete\n    apiVersion: v1\n    kind: Namespace\n    metadata: {name: shop}\n',
  ],
  [
    'json patch with a target',
    'patches:\n- target: {kind: Deployment, labelSelector: app=web}\n  patch: |-\n    - {op: replace, path: /spec/replicas, value: 7}\n    - {op: add, path: /spec/template/spec/containers/-, value: {name: c, image: "c:1"}}\n    - {op: test, path: /spec/replicas, value: 7}\n',
  ],
  [
    'json patch of a file',
    'patches: [{path: p.json, target: {kind: Ser.*, name: ^we}, options: {allowNameChange: true}}]\n',
    { 'app/p.json': '[{"op": "replace", "path": "/metadata/name", "value": "front"}]' },
  ],
  [
    'older patch fields',
    'patchesStrategicMerge:\n- |-\n  apiVersion: v1\n  kind: Service\n  metadata: {name: web}\n  spec: {type: NodePort}\npatchesJson6902:\n- target: {version: v1, kind: Service, name: web}\n  path: p.yaml\n',
    { 'app/p.yaml': '- op: remove\n  path: /spec/selector\n' },
  ],
  [
    'config maps and secrets',
    'configMapGenerator:\n- name: settings\n  files: [a.txt, x=b.bin]\n  envs: [c.env]\n  literals: [k=v=w, "q=\'1\'"]\nsecretGenerator:\n- {name: keys, type: Opaque, literals: [p=1], options: {labels: {l: m}, immutable: true}}\ngeneratorOptions: {annotations: {g: h}}\n',
    { 'app/a.txt': 'one\ntwo\n', 'app/b.bin': '\u0000\u0001\u00ff', 'app/c.env': '# c\nA=1\nB=two words\n' },
  ],
  [
    'config maps without a hash',
    'configMapGenerator: [{name: settings, literals: [a=b], options: {disableNameSuffixHash: true}}]\n',
  ],
  [
    'replacements',
    'replacements:\n- source: {kind: Deployment, fieldPath: "spec.template.spec.containers.[name=web].image", options: {delimiter: ":", index: 0}}\n  targets:\n  - select: {kind: Store}\n    reject: [{name: none}]\n    fieldPaths: [spec.image]\n    options: {create: true}\n- path: r.yaml\n',
    {
      'app/r.yaml':
        'source: {kind: Service, name: web}\ntargets: [{select: {kind: Store}, fieldPaths: ["spec.shelves.*.of"], options: {create: true}}]\n',
    },
  ],
  [
    'vars',
    'vars:\n- {name: HOST, objref: {apiVersion: v1, kind: Service, name: web}, fieldref: {fieldpath: metadata.name}}\nnamePrefix: v-\n',
  ],
  [
    'component',
    'components: [../part]\n',
    {
      'part/kustomization.yaml':
        'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnamePrefix: c-\nresources: [m.yaml]\n',
      'part/m.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\n',
    },
  ],
  [
    'transformer files',
    'transformers: [t.yaml]\n',
    {
      'app/t.yaml':
        'apiVersion: builtin\nkind: PrefixSuffixTransformer\nmetadata: {name: t}\nprefix: t-\nfieldSpecs: [{path: metadata/name}]\n',
    },
  ],
  [
    'transformers in place',
    'transformers:\n- |-\n  apiVersion: builtin\n  kind: NamespaceTransformer\n  metadata: {name: n, namespace: in-place}\n  unsetOnly: true\n',
  ],
  [
    'generators in place',
    'generators:\n- |-\n  apiVersion: builtin\n  kind: ConfigMapGenerator\n  metadata: {name: g}\n  literals: [a=b]\n',
  ],
  [
    'configurations',
    'configurations: [c.yaml]\nnamePrefix: p-\n',
    {
      'app/c.yaml':
        'nameReference:\n- kind: Deployment\n  fieldSpecs: [{path: spec/deployment, kind: Store}]\n',
    },
  ],
  ['crds', 'crds: [crd.json]\nnamePrefix: p-\n', { 'app/crd.json': crd }],
  [
    'schema of its own',
    'openapi: {path: schema.json}\npatches: [{path: p.yaml}]\n',
    { 'app/schema.json': storeDefinition, 'app/p.yaml': patchedShelf },
  ],
  [
    'schema by version',
    'openapi: {version: v1.21.2}\npatches: [{path: p.yaml}]\n',
    { 'app/p.yaml': patchedShelf },
  ],
  ['order as given', 'sortOptions: {order: fifo}\n'],
  [
    'order of its own',
    'sortOptions: {order: legacy, legacySortOptions: {orderFirst: [Store], orderLast: [Namespace]}}\n',
  ],
  [
    'build metadata',
    'buildMetadata: [managedByLabel, originAnnotations, transformerAnnotations]\nnamePrefix: o-\n',
  ],
  [
    'numbers and aliases',
    'commonAnnotations: {a: &a "1e3", b: *a}\npatches: [{path: p.yaml}]\n',
    {
      'app/p.yaml':
        'apiVersion: shop.example.com/v1\nkind: Store\nmetadata: {name: main}\nspec:\n  big: 123456789012345678901234567890\n  list: [1e21, 0.1, 0o17, 0x1F, ~, yes, 2001-01-01, 1_000]\n  text: "x\\u00e9\\U0001F600"\n  block: |+\n    a\n\n  folded: >-\n    b\n    c\n',
    },
  ],
]

/** Overlays that Kustomize rejects, although their files are there. */
const rejected: ReadonlyArray<readonly [name: string, text: string, files?: Record<string, string>]> = [
  ['an unknown field', 'resource: [a]\n'],
  [
    'a patch of nothing',
    'patches: [{path: p.yaml}]\n',
    { 'app/p.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: none}\n' },
  ],
  [
    'a JSON patch that does not apply',
    'patches: [{target: {kind: Service}, patch: "[{op: remove, path: /spec/none}]"}]\n',
  ],
  [
    'an object twice',
    'resources: [s.yaml]\n',
    { 'app/s.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\n' },
  ],
  [
    'a replacement without a source',
    'replacements: [{source: {kind: None}, targets: [{select: {kind: Store}, fieldPaths: [a]}]}]\n',
  ],
  ['merge into no config map', 'configMapGenerator: [{name: none, behavior: merge, literals: [a=b]}]\n'],
  [
    'a schema that is not one',
    'openapi: {path: schema.json}\npatches: [{path: p.yaml}]\n',
    { 'app/schema.json': '{"definitions": 1}', 'app/p.yaml': patchedShelf },
  ],
  ['a schema with a version that is not built in', 'openapi: {version: v1.2.3}\n'],
  [
    'a plugin',
    'transformers: [t.yaml]\n',
    {
      'app/t.yaml':
        'apiVersion: example.com/v1\nkind: Own\nmetadata: {name: t, annotations: {config.kubernetes.io/function: "container: {image: a}"}}\n',
    },
  ],
]

function overlay(
  outcome: KustomizationCase['outcome'],
  [name, text, files]: (typeof overlays)[number],
): KustomizationCase {
  const own = text.startsWith('resources:')
    ? text.replace('[', '[../base, ')
    : `resources: [../base]\n${text}`
  return { name, outcome, files: { ...base, 'app/kustomization.yaml': own, ...files } }
}

/** Kustomizations with every feature, some that Kustomize rejects, and some that only the tool can build. */
export const kustomizationCases: readonly KustomizationCase[] = [
  ...overlays.map((given) => overlay('equal', given)),
  ...rejected.map((given) => overlay('refused', given)),
  {
    name: 'config maps that are merged and replaced, and what refers to them',
    outcome: 'equal',
    files: {
      'base/kustomization.yaml':
        'resources: [deployment.yaml]\nconfigMapGenerator: [{name: settings, literals: [a=1, b=2]}]\nsecretGenerator: [{name: keys, literals: [k=1]}]\n',
      'base/deployment.yaml': deployment,
      'app/kustomization.yml':
        'resources: [../base]\nconfigMapGenerator: [{name: settings, behavior: merge, literals: [b=3]}]\nsecretGenerator: [{name: keys, behavior: replace, literals: [z=9]}]\n',
    },
  },
  {
    name: 'two bases of one base, lists and empty documents',
    outcome: 'equal',
    files: {
      'base/kustomization.yaml': 'resources: [deployment.yaml]\n',
      'base/deployment.yaml': deployment,
      'a/kustomization.yaml': 'resources: [../base]\nnamePrefix: a-\n',
      'b/kustomization.yaml': 'resources: [../base]\nnamePrefix: b-\n',
      'app/Kustomization': 'resources: [../a, ../b, list.yaml]\nnamespace: both\n',
      'app/list.yaml':
        '---\n# nothing\n---\napiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: l}}\n---\n',
    },
  },
  {
    name: 'a file whose name the engine does not take',
    outcome: 'unsupported',
    files: {
      'app/kustomization.yaml': 'configMapGenerator: [{name: c, files: ["a b.txt"]}]\n',
      'app/a b.txt': 'a',
    },
  },
]
