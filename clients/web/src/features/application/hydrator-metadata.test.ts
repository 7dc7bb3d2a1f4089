import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hydratorMetadata } from './hydrator-metadata.ts'

const nothing = { tools: [], commands: [], decided: [] }

test('tools and commands are read, and a file of another form says nothing', () => {
  const json = JSON.stringify({ tools: [{ name: 'helm', version: 'v4' }], commands: ['helm template .', 7] })
  assert.deepEqual(hydratorMetadata(json), { ...nothing, tools: ['helm v4'], commands: ['helm template .'] })
  for (const other of ['', 'no json', '[]', '{"tools": 3}'])
    assert.deepEqual(hydratorMetadata(other), nothing)
})

test('a value that decided something is read with the places that it won over, also on its way there', () => {
  const place = (label: string, line: number, value: unknown) => ({ label, file: 'web.yaml', line, value })
  const from = {
    ...place('param', 1, 5),
    derivedFrom: {
      step: 'param replicas',
      from: place('workload param', 7, 5),
      beats: [place('chain', 8, 2)],
    },
  }
  const parameters = [{ of: 'values', path: '.replicas', value: 5, from, beats: [place('template', 9, 'x')] }]
  assert.deepEqual(hydratorMetadata(JSON.stringify({ parameters })).decided, [
    {
      of: 'values',
      path: '.replicas',
      value: '5',
      from: 'param replicas, from workload param, web.yaml:7',
      file: 'web.yaml',
      line: 7,
      overrides: ['2: chain, web.yaml:8', 'x: template, web.yaml:9'],
    },
  ])
  const recorded = {
    ...place('param', 1, 'a'),
    derivedFrom: { step: 'recorded output', from: place('recorded output', 2, 'a'), beats: [] },
  }
  const outputs = [
    { of: 'values', path: '.image', value: '', from: recorded, beats: [place('chain', 3, '')] },
  ]
  const [image] = hydratorMetadata(JSON.stringify({ parameters: outputs })).decided
  assert.deepEqual(
    [image?.value, image?.from, image?.overrides],
    ['""', 'recorded output, web.yaml:2', ['"": chain, web.yaml:3']],
  )
  const [odd] = hydratorMetadata('{"parameters": [3]}').decided
  assert.deepEqual(odd?.overrides, [])
})
