/** Helm's name of a release without one, wherever it is a part of a value; as a key it is one of Helm's own labels. */
const inValue = /(?<![\w./])release-name(?![\w./-]*"?:)/

/**
 * The warning that a chart without a release name shows Helm's default in its objects; none if it does not.
 * @param texts of the objects, as YAML or JSON
 */
export function defaultNameWarnings(
  path: string,
  releaseName: string | undefined,
  texts: readonly string[],
): string[] {
  if (releaseName || !texts.some((text) => inValue.test(text))) return []
  const file = path === '' ? '.argocd-source.yaml' : `${path}/.argocd-source.yaml`
  return [
    `the chart's objects show Helm's default release name "release-name", and every Application of the chart has the same; set one in ${file}: {helm: {releaseName: NAME}}`,
  ]
}
