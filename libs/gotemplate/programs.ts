/** A line of a vendored file that calls what a file in `_vendor` adds to its package. */
export interface Edit {
  readonly file: string
  readonly line: string
  readonly becomes: string
}

/** A Go program that is compiled, in one of its versions where it has several. */
export interface CompiledProgram {
  /** Names its files in `src`. */
  readonly name: string
  readonly directory: string
  /** The directory in `_versions` with the modules, and what else only this version has; it is laid over the program's own. */
  readonly version?: string
  /** The release of Go that builds it where it is not that of this machine, as its modules ask for a newer one. */
  readonly go?: string
  /** Build tags. */
  readonly tags?: readonly string[]
  /**
   * The changes of the vendored modules: some are removed, then files are laid over the rest, then lines are edited.
   * The files are those of the program's `_vendor` and, where lines are edited, before them those of the `_vendor` of
   * all programs.
   */
  readonly removed: readonly string[]
  readonly edits: readonly Edit[]
  /** The values that the linker writes into it: programs report their version, Helm to templates and Kustomize in a label. */
  readonly linked: readonly (readonly [name: string, value: string])[]
}

const yamlFile = 'sigs.k8s.io/yaml/yaml.go'
const yamlEdits: readonly Edit[] = [
  {
    file: yamlFile,
    line: 'return unmarshal(yamlBytes, obj, yaml.Unmarshal, opts...)',
    becomes: 'return unmarshalAny(yamlBytes, obj, opts...)',
  },
  {
    file: yamlFile,
    line: 'err := yaml.Unmarshal(j, &jsonObj)',
    becomes: 'err := unmarshalJSON(j, &jsonObj)',
  },
]
const kustomize = 'sigs.k8s.io/kustomize'
const kustomizeEdits: readonly Edit[] = [
  // Kustomize writes what it configures its own transformers with, for each of them to read.
  {
    file: `${kustomize}/api/internal/target/kusttarget.go`,
    line: 'y, err = yaml.Marshal(c)',
    becomes: 'y, err = yaml.MarshalConfiguration(c)',
  },
  {
    file: `${kustomize}/kyaml/yaml/compatibility.go`,
    line: 'if value == "" {',
    becomes: 'if value == "" || isWord(value) {',
  },
  {
    file: `${kustomize}/kyaml/yaml/rnode.go`,
    line: 'func (rn *RNode) MarshalJSON() ([]byte, error) {',
    becomes: `func (rn *RNode) MarshalJSON() ([]byte, error) {
	if text, isPlain := rn.plainJSON(); isPlain {
		return text, nil
	}`,
  },
  // The paths of two fields mostly differ, and are compared faster than their types.
  {
    file: `${kustomize}/api/types/fieldspec.go`,
    line: 'return fs.IsSelected(&other.Gvk) && fs.Path == other.Path',
    becomes: 'return fs.Path == other.Path && fs.IsSelected(&other.Gvk)',
  },
]

const plain = { removed: [], edits: [], linked: [] } as const

function kustomizeProgram(version: string, special: Partial<CompiledProgram> = {}): CompiledProgram {
  return {
    name: `kustomize-${version}`,
    directory: 'kustomize',
    version,
    removed: [],
    edits: [...yamlEdits, ...kustomizeEdits],
    linked: [['sigs.k8s.io/kustomize/api/provenance.version', `v${version}`]],
    ...special,
  }
}

/** @param build what its release was linked with, and the release of Go that made it; empty where operators have several builds */
function helmProgram(
  version: string,
  build: { readonly commit: string; readonly go: string } | undefined,
  special: Partial<CompiledProgram> = {},
): CompiledProgram {
  const own = 'helm.sh/helm/v4/internal/version'
  const known = build && [
    [`${own}.gitCommit`, build.commit] as const,
    [`${own}.gitTreeState`, 'clean'] as const,
    ['main.goVersion', build.go] as const,
  ]
  return {
    name: `helm-${version}`,
    directory: 'helm',
    version,
    removed: ['k8s.io/client-go', 'k8s.io/apiextensions-apiserver', 'k8s.io/apimachinery/pkg/runtime/*.go'],
    edits: yamlEdits,
    linked: [[`${own}.version`, `v${version}`], ...(known ?? [])],
    ...special,
  }
}

const apiserver = 'k8s.io/apiserver/pkg'
const policiesProgram: CompiledProgram = {
  name: 'policies',
  directory: 'policies',
  // The evaluation of policies remains; what serves a cluster goes, and the encodings that no JSON needs.
  removed: [
    'k8s.io/{client-go,component-base,kubernetes/pkg/features}',
    `${apiserver}/{audit,features,util,admission/metrics}`,
    `${apiserver}/admission/{audit,chain,config,decorator,plugins,reinvocation}.go`,
    `${apiserver}/admission/plugin/policy/generic/{composite_policy_source,interfaces,plugin,policy_dispatcher,policy_source,policy_test_context}.go`,
    `${apiserver}/admission/plugin/policy/validating/{dispatcher,errors,initializer,plugin,typechecking}.go`,
    'k8s.io/kubernetes/pkg/apis/*/v*/{conversion,register,zz_generated.conversion,zz_generated.validations}.go',
    'k8s.io/kubernetes/pkg/apis/rbac/v1/{evaluation_helpers,helpers,zz_generated.deepcopy}.go',
    'k8s.io/api/*/*/{generated.pb,types_swagger_doc_generated}.go',
    'k8s.io/apimachinery/pkg/**/{generated.pb,*_proto,types_swagger_doc_generated}.go',
    'k8s.io/apimachinery/pkg/runtime/serializer/cbor/**/*.go',
    'k8s.io/apimachinery/pkg/watch/streamwatcher.go',
    'k8s.io/kubernetes/pkg/apis/{apps,autoscaling,batch,core,networking}/register.go',
    'sigs.k8s.io/structured-merge-diff/v6/value/{allocator,fields,list*,map*,scalar,structreflect,value*}.go',
    `${apiserver}/cel/common/{adaptor,equality,maplist,schemas,valuesreflect,valuesunstructured}.go`,
    // Its templates would keep every method of every type.
    'github.com/google/cel-go/cel/prompt.go',
  ],
  edits: [],
  linked: [],
}

/** All programs; which versions the services use is in `src/engine-versions.ts`. */
export const programs: readonly CompiledProgram[] = [
  {
    ...plain,
    name: 'template',
    directory: 'template',
    removed: ['github.com/Masterminds/sprig/v3/{crypto,network}.go'],
  },
  { ...plain, name: 'jsonnet', directory: 'jsonnet' },
  kustomizeProgram('5.7.1'),
  kustomizeProgram('5.8.3', { go: 'go1.27.0' }),
  helmProgram('4.1.4', { commit: '05fa37973dc9e42b76e1d2883494c87174b6074f', go: 'go1.25.9' }),
  // Contexts: functions of its packages take one. Kept ends: so do the documents of a file.
  helmProgram('4.3.1', undefined, { go: 'go1.27.0', tags: ['contexts', 'keptends'] }),
  policiesProgram,
]
