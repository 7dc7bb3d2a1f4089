import { z } from 'zod'

const wholeNumber = { error: 'must be a whole number, not negative' }

const patchTarget = z.strictObject({
  group: z.string().optional(),
  version: z.string().optional(),
  kind: z.string().optional(),
  name: z.string().optional(),
  namespace: z.string().optional(),
  annotationSelector: z.string().optional(),
  labelSelector: z.string().optional(),
})

/** The options that a source has as `kustomize`. */
export const kustomizeOptionSchema = z.strictObject({
  namePrefix: z.string().optional(),
  nameSuffix: z.string().optional(),
  namespace: z.string().optional(),
  images: z.array(z.string()).optional(),
  replicas: z
    .array(
      z.strictObject({
        name: z.string(),
        count: z.union(
          [z.int().nonnegative(wholeNumber), z.string().regex(/^\d{1,9}$/, wholeNumber)],
          wholeNumber,
        ),
      }),
    )
    .optional(),
  commonLabels: z.record(z.string(), z.string()).optional(),
  forceCommonLabels: z.boolean().optional(),
  labelWithoutSelector: z.boolean().optional(),
  labelIncludeTemplates: z.boolean().optional(),
  commonAnnotations: z.record(z.string(), z.string()).optional(),
  forceCommonAnnotations: z.boolean().optional(),
  commonAnnotationsEnvsubst: z.boolean().optional(),
  patches: z
    .array(
      z.strictObject({
        path: z.string().optional(),
        patch: z.string().optional(),
        target: patchTarget.optional(),
        options: z.record(z.string(), z.boolean()).optional(),
      }),
    )
    .optional(),
  components: z.array(z.string()).optional(),
  ignoreMissingComponents: z.boolean().optional(),
  version: z.string().optional(),
  kubeVersion: z.string().optional(),
  apiVersions: z.array(z.string()).optional(),
})

/** Options of `source.kustomize`. */
export type KustomizeOptions = z.infer<typeof kustomizeOptionSchema>
