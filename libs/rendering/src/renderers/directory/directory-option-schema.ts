import { z } from 'zod'

const jsonnetVariable = z.strictObject({
  name: z.string(),
  value: z.string().optional(),
  code: z.boolean().optional(),
})

/** The options that a source has as `directory`. */
export const directoryOptionSchema = z.strictObject({
  recurse: z.boolean().optional(),
  include: z.string().optional(),
  exclude: z.string().optional(),
  disableExtensionFilter: z.boolean().optional(),
  jsonnet: z
    .strictObject({
      extVars: z.array(jsonnetVariable).optional(),
      tlas: z.array(jsonnetVariable).optional(),
      libs: z.array(z.string()).optional(),
    })
    .optional(),
})

/** Options of `source.directory`. */
export type DirectoryOptions = z.infer<typeof directoryOptionSchema>
