import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type MainThreadProfile, shareOf } from './main-thread-profile.ts'

function frame(id: number, functionName: string, url: string, children: number[] = []) {
  return { id, callFrame: { functionName, url, scriptId: '', lineNumber: 0, columnNumber: 0 }, children }
}

test('the share of a place has the time of what it calls, and not the time in which nothing was done', () => {
  const profile: MainThreadProfile = {
    nodes: [
      frame(1, '(root)', '', [2, 3, 4]),
      frame(2, '(idle)', ''),
      frame(3, 'start', 'file:///a/place.ts', [5]),
      frame(4, 'other', 'file:///a/other.ts'),
      frame(5, 'connect', 'node:net'),
    ],
    startTime: 0,
    endTime: 100,
    samples: [2, 3, 5, 4, 2],
    timeDeltas: [0, 50, 10, 20, 10, 10],
  }
  const isPlace = (url: string): boolean => url.endsWith('place.ts')
  assert.equal(shareOf([profile], isPlace), 30 / 40)
  assert.equal(shareOf([profile, { ...profile, samples: [4], timeDeltas: [0, 20] }], isPlace), 30 / 60)
  assert.equal(shareOf([], isPlace), 0)
})
