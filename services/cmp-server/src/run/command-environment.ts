import { InvalidInputError } from '@wadi/errors/domain-error.ts'

/** A variable of a request. */
interface Variable {
  name: string
  value: string
}

/** Names that Argo CD's repo-server makes up for a run; they replace a variable of the service. */
const runVariables = /^(?:ARGOCD_|PARAM_|KUBE_VERSION$|KUBE_API_VERSIONS$)/

/** Names that carry credentials for git to a plugin that wants them. */
const gitVariables = /^(?:GIT_(?:SSL_\w+|ASKPASS|TERMINAL_PROMPT|SSH_COMMAND)|SOCKS5_\w+)$/

/** Names that decide how programs are loaded, found or configured. */
const dangerousNames =
  /^(?:PATH|HOME|TMPDIR|ENV|BASH_ENV|SHELLOPTS|BASHOPTS|IFS|PS4|PROMPT_COMMAND|EDITOR|PAGER|RUBYOPT|RUBYLIB|JAVA_TOOL_OPTIONS|KUBECONFIG|SSL_CERT_(?:FILE|DIR)|(?:LD|XDG|NODE|PYTHON|PERL5?|GIT|HELM|KUSTOMIZE|AWS|GOOGLE|AZURE|VAULT|WADI)_?\w*|\w*_PROXY)$/i

/**
 * The environment of a plugin's commands: that of the service without what configures the service itself, and over it
 * the variables of the request, of which the last of a name counts. A variable that is not one of Argo CD's own never
 * replaces one of the service and never has a name that decides how programs run.
 * @throws InvalidInputError for a variable that no process can have
 */
export function commandEnvironment(
  service: Readonly<Record<string, string | undefined>>,
  request: readonly Variable[],
  { gitCredentials }: { gitCredentials: boolean },
): { environment: Record<string, string>; skipped: string[] } {
  const environment: Record<string, string> = {}
  for (const [name, value] of Object.entries(service)) {
    if (value !== undefined && !name.startsWith('WADI_')) environment[name] = value
  }
  const own = new Set(Object.keys(environment))
  const skipped = new Set<string>()
  for (const { name, value } of request) {
    if (name === '') continue
    if (name.includes('=') || name.includes('\0') || value.includes('\0')) {
      throw new InvalidInputError(`variable ${JSON.stringify(name)} has a "=" in its name or a NUL character`)
    }
    const isProtocols = runVariables.test(name) || (gitCredentials && gitVariables.test(name))
    if (isProtocols || (!own.has(name) && !dangerousNames.test(name))) environment[name] = value
    else skipped.add(name)
  }
  return { environment, skipped: [...skipped] }
}
