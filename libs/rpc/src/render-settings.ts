import { defineSettings } from './service-settings.ts'

/** The settings of an operator for every render: local rendering reads the same settings as repo-server. */
export const renderSettings = defineSettings({
  renderTimeout: {
    type: 'duration',
    flag: 'render-timeout',
    env: 'WADI_RENDER_TIMEOUT',
    default: '90s',
    description: 'Time limit for one run of a renderer.',
  },
  maxManifestSize: {
    type: 'bytes',
    flag: 'max-manifest-size',
    env: 'WADI_MAX_MANIFEST_SIZE',
    default: '10MiB',
    description: 'Maximum size of the result of one source.',
  },
  allowRemoteBases: {
    type: 'boolean',
    flag: 'allow-remote-bases',
    env: 'WADI_ALLOW_REMOTE_BASES',
    default: 'false',
    description:
      'Whether kustomizations may name bases by URL, whose content can change without a dry commit.',
  },
  allowRemoteCharts: {
    type: 'boolean',
    flag: 'allow-remote-charts',
    env: 'WADI_ALLOW_REMOTE_CHARTS',
    default: 'false',
    description: 'Whether Helm dependencies with an exact or locked version may be downloaded.',
  },
  kustomizeBuildOptions: {
    type: 'list',
    flag: 'kustomize-build-options',
    env: 'WADI_KUSTOMIZE_BUILD_OPTIONS',
    default: '',
    description: 'Options for every kustomize build: --enable-helm, --load-restrictor=LoadRestrictionsNone.',
  },
  pluginTarExclude: {
    type: 'string',
    flag: 'plugin-tar-exclude',
    env: 'WADI_PLUGIN_TAR_EXCLUDE',
    default: '',
    description:
      'Files and directories that plugins do not receive: patterns of whole paths from the root of the repository, separated by semicolons, in which * and ? stay within a name.',
  },
  helm: {
    type: 'string',
    flag: 'helm',
    env: 'WADI_HELM',
    description: 'Path of the helm program to use instead of the one that Wadi finds.',
  },
  kustomize: {
    type: 'string',
    flag: 'kustomize',
    env: 'WADI_KUSTOMIZE',
    description: 'Path of the kustomize program to use instead of the one that Wadi finds.',
  },
  toolsDirectory: {
    type: 'string',
    flag: 'tools-directory',
    env: 'WADI_TOOLS_DIRECTORY',
    description:
      'Directory with further versions of helm and kustomize that a repository may ask for, each program as <tool>/<version>/<tool>, for example helm/4.3.1/helm.',
  },
})

/** The settings of an operator for releases of tools: which may be downloaded, and from where. */
export const toolSettings = defineSettings({
  toolDownloads: {
    type: 'choice',
    // YAML reads an unquoted on and off as true and false.
    choices: ['off', 'on', 'false', 'true'],
    flag: 'tool-downloads',
    env: 'WADI_TOOL_DOWNLOADS',
    default: 'off',
    description:
      'Whether the hydration of a branch may download a version of helm or kustomize that git asks for, when it is in the list of releases.',
  },
  toolList: {
    type: 'string',
    flag: 'tool-list',
    env: 'WADI_TOOL_LIST',
    description:
      "File with the releases that may be downloaded, in place of Wadi's own list: a line <tool> <version> <platform> <SHA-256 of the archive> for each.",
  },
  helmReleases: {
    type: 'string',
    flag: 'helm-releases',
    env: 'WADI_HELM_RELEASES',
    default: 'https://get.helm.sh',
    description:
      'Address below which releases of helm are, as their project arranges them: the project or a mirror.',
  },
  kustomizeReleases: {
    type: 'string',
    flag: 'kustomize-releases',
    env: 'WADI_KUSTOMIZE_RELEASES',
    default: 'https://github.com/kubernetes-sigs/kustomize/releases/download',
    description: 'The same for kustomize.',
  },
})
