import { namesNoHelm, wholeVersion } from '@wadi/hydration/tool-versions.ts'
import type { JsonValue } from '@wadi/manifests/manifest.ts'
import { z } from 'zod'

/** The options that a source has as `helm`. */
export const helmOptionSchema = z.strictObject({
  valueFiles: z.array(z.string()).optional(),
  ignoreMissingValueFiles: z.boolean().optional(),
  values: z.string().optional(),
  valuesObject: z.record(z.string(), z.custom<JsonValue>()).optional(),
  parameters: z
    .array(
      z.strictObject({ name: z.string(), value: z.string().optional(), forceString: z.boolean().optional() }),
    )
    .optional(),
  fileParameters: z.array(z.strictObject({ name: z.string(), path: z.string() })).optional(),
  releaseName: z.string().optional(),
  namespace: z.string().optional(),
  version: z
    .string()
    .refine((version) => namesNoHelm(version) || wholeVersion.test(version), {
      error: 'must be v3, v4 or one exact version, such as 4.3.1',
    })
    .optional(),
  kubeVersion: z.string().optional(),
  apiVersions: z.array(z.string()).optional(),
  passCredentials: z.boolean().optional(),
  skipCrds: z.boolean().optional(),
  skipTests: z.boolean().optional(),
  skipSchemaValidation: z.boolean().optional(),
})

/** Options of `source.helm`. */
export type HelmOptions = z.infer<typeof helmOptionSchema>
