/** The names of the fields of a map, each with those inside it; `true` for what is free or no map. Items of lists are treated alike. */
export type FieldNames = { readonly [field: string]: FieldNames | true }

/**
 * The options of the renderers, which are the sub-objects of Argo CD's ApplicationSource.
 * @internal
 */
export const sourceOptionFields = {
  helm: {
    valueFiles: true,
    ignoreMissingValueFiles: true,
    values: true,
    valuesObject: true,
    parameters: { name: true, value: true, forceString: true },
    fileParameters: { name: true, path: true },
    releaseName: true,
    namespace: true,
    version: true,
    kubeVersion: true,
    apiVersions: true,
    passCredentials: true,
    skipCrds: true,
    skipTests: true,
    skipSchemaValidation: true,
  },
  kustomize: {
    namePrefix: true,
    nameSuffix: true,
    namespace: true,
    images: true,
    replicas: { name: true, count: true },
    commonLabels: true,
    forceCommonLabels: true,
    labelWithoutSelector: true,
    labelIncludeTemplates: true,
    commonAnnotations: true,
    forceCommonAnnotations: true,
    commonAnnotationsEnvsubst: true,
    patches: {
      path: true,
      patch: true,
      target: {
        group: true,
        version: true,
        kind: true,
        name: true,
        namespace: true,
        annotationSelector: true,
        labelSelector: true,
      },
      options: true,
    },
    components: true,
    ignoreMissingComponents: true,
    version: true,
    kubeVersion: true,
    apiVersions: true,
  },
  directory: {
    recurse: true,
    include: true,
    exclude: true,
    disableExtensionFilter: true,
    jsonnet: {
      extVars: { name: true, value: true, code: true },
      tlas: { name: true, value: true, code: true },
      libs: true,
    },
  },
  plugin: { name: true, env: { name: true, value: true }, parameters: true },
} as const satisfies FieldNames

const drySourceFields: FieldNames = {
  repoURL: true,
  targetRevision: true,
  path: true,
  chart: true,
  ref: true,
  name: true,
  ...sourceOptionFields,
}

/** The fields of `spec.sourceHydrator`. */
export const sourceHydratorFields: FieldNames = {
  drySource: drySourceFields,
  drySources: drySourceFields,
  syncSource: { repoURL: true, targetBranch: true, path: true },
  hydrateTo: { targetBranch: true },
}

/** The fields of `spec.destination`. */
export const destinationFields: FieldNames = { server: true, name: true, namespace: true }
