import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { deployDirectory } from './chart.ts'
import { madeFiles } from './kubernetes-base.ts'

// `node tools/write-kubernetes-base.ts`: makes deploy/kubernetes/base and the chart's definitions from the chart and deploy/crds.
const made = await madeFiles()
await rm(path.join(deployDirectory, 'kubernetes/base'), { recursive: true, force: true })
for (const [place, text] of made) {
  const file = path.join(deployDirectory, place)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, text)
}
