import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { kindFieldsFile, kindFieldsText } from './kind-fields.ts'

// `node tools/write-kind-fields.ts`: writes what the YAML editors of the console know of Applications, ApplicationSets and AppProjects.
await writeFile(kindFieldsFile, await kindFieldsText(path.dirname(import.meta.dirname)))
