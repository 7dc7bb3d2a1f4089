#!/usr/bin/env node
import { readChart } from './chart.ts'
import { dependencyCommands } from './dependencies.ts'
import { runProgram } from './user-error.ts'
import { findRepository } from './repository.ts'
import { withHelm } from './run-helm.ts'
import { readParameters } from './parameters.ts'
import { templateArguments } from './template-arguments.ts'

// Prints the manifests of the chart in the current directory; the argument is the Helm to run.
runProgram(() => {
  const [program = 'helm'] = process.argv.slice(2)
  const repository = findRepository(process.cwd(), process.env['ARGOCD_APP_SOURCE_PATH'] ?? '')
  const parameters = readParameters(process.env)
  const preparations = dependencyCommands(repository, repository.path)
  const template = templateArguments(repository, parameters, process.env)
  withHelm(program, repository, readChart(repository, repository.path).name, (helm) => {
    for (const args of preparations) helm(args, { prints: false })
    helm(template, { input: parameters.values, prints: true })
  })
})
