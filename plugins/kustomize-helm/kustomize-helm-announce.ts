#!/usr/bin/env node
import { readKustomization } from './kustomization.ts'
import { runProgram } from './user-error.ts'
import { flatten } from './value-paths.ts'

// Prints a parameter for each chart of the kustomization in the current directory, as JSON.
runProgram(() => {
  const { charts } = readKustomization(process.cwd())
  const announcements = charts.map(({ id, values }) => ({
    name: id,
    title: `Values of chart ${id}`,
    tooltip: 'They override those of the chart and of the kustomization.',
    group: `${id} Helm chart`,
    collectionType: 'map',
    map: Object.fromEntries(flatten(values('text'))),
  }))
  console.log(JSON.stringify(announcements))
})
