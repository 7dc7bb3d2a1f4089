import type { Environment } from './parameters.ts'

/** Not every variable of the process: the others may be secrets of the sidecar. */
const buildVariable =
  /^(?:ARGOCD_APP_(?:NAME|NAMESPACE|PROJECT_NAME|REVISION|REVISION_SHORT|REVISION_SHORT_8|SOURCE_PATH|SOURCE_REPO_URL|SOURCE_TARGET_REVISION)|KUBE_VERSION|KUBE_API_VERSIONS)$/

/**
 * Replaces `$NAME` and `${NAME}` as Argo CD does for its native Helm, by the rules of Go's os.Expand: a name that is no
 * build variable becomes nothing, `$$` a dollar sign.
 */
export function substitute(text: string, environment: Environment): string {
  const reference = /\$(?:\{([^}]*)\}|([*#$@!?\-0-9])|([A-Za-z_]\w*)|\{)/g
  return text.replaceAll(reference, (_, braced?: string, special?: string, plain?: string) => {
    const name = braced ?? special ?? plain ?? ''
    if (name === '$') return '$'
    const value = buildVariable.test(name) ? environment[name] : undefined
    if (value === undefined)
      console.error(`variable ${name} is not set; it was replaced with an empty string`)
    return value ?? ''
  })
}
