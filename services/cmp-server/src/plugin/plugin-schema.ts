import { z } from 'zod'

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '')
const texts = z
  .array(z.string())
  .nullish()
  .transform((value) => value ?? [])
const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false)

const command = z.object({ command: texts, args: texts })

/** A parameter as a plugin announces it, in Argo CD's flat form. */
export const announcementSchema = z.object({
  name: z.string().min(1, 'a name is required'),
  title: text,
  tooltip: text,
  required: flag,
  itemType: text,
  collectionType: text,
  string: text,
  array: texts,
  map: z
    .record(z.string(), z.string())
    .nullish()
    .transform((value) => value ?? {}),
})

/** The file of a plugin, by the rules of Argo CD's cmp-server; `apiVersion` is not looked at there either. */
export const pluginSchema = z.object({
  apiVersion: z.unknown().optional(),
  kind: z.literal('ConfigManagementPlugin'),
  metadata: z.looseObject({
    // The name is a file name of the socket.
    name: z.string().regex(/^[\w-][\w.-]*$/, 'a name of letters, digits, "-", "_" and "." is required'),
  }),
  spec: z.object({
    version: z
      .string()
      .regex(/^[\w.+-]*$/, 'a version has letters, digits, "-", "+", "_" and "."')
      .nullish(),
    init: command.nullish(),
    generate: command.refine((value) => value.command.length > 0, {
      path: ['command'],
      message: 'the command that generates is required',
    }),
    discover: z
      .object({
        fileName: text,
        find: z.object({ glob: text, command: texts, args: texts }).nullish(),
      })
      .nullish(),
    parameters: z
      .object({ static: z.array(announcementSchema).nullish(), dynamic: command.nullish() })
      .nullish(),
    preserveFileMode: flag,
    provideGitCreds: flag,
  }),
})
