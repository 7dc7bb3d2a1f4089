import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { application, environments, type MonorepoApplication } from './monorepo-application.ts'
import type { MonorepoOptions } from './generate-monorepo.ts'

/** Applications in one directory of `plain`, as a repository of thousands has them divided. */
const applicationsInTeam = 50

/** Writes a repository of plain directories with one manifest each, so that thousands are hydrated in a moment. */
export async function generateSmallApplications({
  directory,
  applications: count,
}: MonorepoOptions): Promise<MonorepoApplication[]> {
  await mkdir(directory, { recursive: true })
  await writeFile(path.join(directory, 'README.md'), 'Edition 0\n')
  const applications: MonorepoApplication[] = []
  for (let index = 0; index < count; index++) {
    const name = `small-${String(index).padStart(5, '0')}-app`
    const environment = environments[index % environments.length] ?? 'dev'
    const team = `team-${String(Math.floor(index / applicationsInTeam)).padStart(3, '0')}`
    const place = `plain/${team}/${name}`
    await mkdir(path.join(directory, place), { recursive: true })
    await writeFile(path.join(directory, place, '00-settings.yaml'), settings(name))
    applications.push(application(environment, { name, kind: 'directory', path: place, namespace: name }))
  }
  return applications
}

function settings(name: string): string {
  return `apiVersion: v1
kind: ConfigMap
metadata:
  name: ${name}
data:
  revision: "1"
`
}
