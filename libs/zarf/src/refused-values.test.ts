import { packageText } from './package-fixture.ts'
import {
  configured,
  definition,
  mapping,
  schema,
  testRejections,
  valuesFile,
  withSchema,
} from './rejection-fixture.ts'

testRejections([
  [
    'an exclusion that is the root',
    mapping('{sourcePath: ., targetPath: ., excludePaths: [.]}'),
    "p/zarf.yaml:7:112: .components.[0].charts.[0].values.[0].excludePaths.[0] | Does not match pattern '^\\.[a-zA-Z0-9_-]+(\\.[a-zA-Z0-9_-]+)*$': .",
  ],
  [
    'an exclusion beside its source',
    mapping('{sourcePath: .a, targetPath: ., excludePaths: [.ab]}'),
    'p/zarf.yaml:7:66: invalid chart definition: chart "ch" excludePath ".ab" must be a descendant of sourcePath ".a"',
  ],
  [
    'a mapping without target',
    mapping('{sourcePath: .a}'),
    'p/zarf.yaml:7:66: .components.[0].charts.[0].values.[0] | targetPath is required',
  ],
  [
    'a source that is not there',
    mapping('{sourcePath: .a.gone, targetPath: .x}'),
    'p/zarf.yaml:7:66: component "c" chart "ch": maps undefined value .a.gone to .x: unable to extract value source: key "gone" not found in path .a.gone',
  ],
  [
    'a source below a scalar',
    mapping('{sourcePath: .a.b.c, targetPath: .x}'),
    'p/zarf.yaml:7:66: component "c" chart "ch": maps undefined value .a.b.c to .x: unable to extract value source: cannot traverse path .a.b.c: key "b" contains uint64, expected map',
  ],
  [
    'the second of two mappings, whose target leads through a scalar',
    mapping('{sourcePath: .a.b, targetPath: .x}, {sourcePath: .a, targetPath: .x.y}'),
    'p/zarf.yaml:7:102: conflict at "x", expected map but got uint64',
  ],
  ['a target that is the root, of a scalar', mapping('{sourcePath: .a.b, targetPath: .}'), 'p/zarf.yaml:7:'],
  ['a values file that is not there', valuesFile('v.yaml'), 'p/zarf.yaml:3:19: open p/v.yaml: no such file'],
  [
    'a values file that is a list',
    valuesFile('v.yaml', { 'p/v.yaml': '- a\n' }),
    'p/v.yaml:1:1: the document must be an object, not a list',
  ],
  [
    'a values file with a key twice',
    valuesFile('v.yaml', { 'p/v.yaml': 'a: 1\nb: 2\na: 3\n' }),
    'p/v.yaml:3:1: duplicate key "a", which is already at 1:1',
  ],
  [
    'a values file with tabs',
    valuesFile('v.yaml', { 'p/v.yaml': 'a:\n\tb: 1\n' }),
    'p/v.yaml:2:1: tab characters must not be used in indentation',
  ],
  [
    'a values file by its absolute path',
    valuesFile('/etc/v.yaml'),
    'p/zarf.yaml:3:19: /etc/v.yaml is an absolute path: name files from the directory of the package',
  ],
  [
    'a values file outside of the repository',
    valuesFile('../../v.yaml'),
    'p/zarf.yaml:3:19: ../../v.yaml leads out of the repository',
  ],
  [
    'a setting of the configuration through a scalar',
    configured('set_values: {a: 1, a.b: 2}'),
    'p/zarf-config.yaml:1:39: conflict at "a", expected map but got uint64',
  ],
  [
    'a scalar for all values',
    configured('set_values: {.: 5}'),
    'p/zarf-config.yaml:1:33: cannot merge non-map value at root path: it is uint64',
  ],
  [
    'a values file of the configuration that is not there',
    configured('values: [gone.yaml]'),
    'p/zarf-config.yaml:1:29: open p/gone.yaml: no such file',
  ],
  [
    'values of the configuration that are no list',
    configured('values: {a: b}'),
    'p/zarf-config.yaml:1:20: package.deploy.values must be a list',
  ],
  [
    'settings of the configuration that are no map',
    configured('set_values: [a]'),
    'p/zarf-config.yaml:1:20: package.deploy.set_values must be an object, not a list',
  ],
  [
    'a configuration that is not TOML',
    { ...definition(packageText('')), 'p/zarf-config.toml': '[package]\na = \n' },
    'p/zarf-config.toml:2:5: Invalid TOML document: invalid value',
  ],
  [
    'values that a schema does not allow, each where it is written',
    schema(
      '{"properties": {"a": {"properties": {"b": {"type": "string"}}}, "version": {"pattern": "^[0-9]+$"}, "n": {"minimum": 2}}, "required": ["w"]}',
    ),
    'p/v.yaml:1:1: values validation failed: schema validation failed for p/s.json:\n(root): w is required',
    'p/v.yaml:1:5: values validation failed: schema validation failed for p/s.json:\na.b: Invalid type. Expected: string, given: integer',
    "p/v.yaml:2:1: values validation failed: schema validation failed for p/s.json:\nversion: Does not match pattern '^[0-9]+$'",
    'p/v.yaml:3:1: values validation failed: schema validation failed for p/s.json:\nn: Must be greater than or equal to 2',
  ],
  [
    'a schema that refers to another file',
    schema('{"$ref": "./x.json"}'),
    'p/s.json: schema contains an external "$ref" pointer "./x.json"; only internal references ("#/...") are supported',
  ],
  [
    'a schema that is not valid JSON',
    schema('{"a": '),
    'p/zarf.yaml:3:27: p/s.json: the schema is not valid JSON: ',
  ],
  ['a schema that is a list', schema('[1]'), 'p/zarf.yaml:3:27: p/s.json: the schema must be a JSON object'],
  [
    'what a schema requires where there are no values at all',
    { ...definition(packageText('', 'values: {schema: s.json}\n')), 'p/s.json': '{"required": ["w"]}' },
    'p/s.json: values validation failed: schema validation failed for p/s.json:\n(root): w is required',
  ],
  [
    'a values file that is not YAML by its name',
    valuesFile('v.json', { 'p/v.json': '{}' }),
    'p/zarf.yaml:3:19: invalid file extension for values file p/v.json: .json: write it in YAML and name it .yaml or .yml',
  ],
  [
    'a schema that is not there',
    { 'p/zarf.yaml': packageText('', withSchema), 'p/v.yaml': '' },
    'p/zarf.yaml:3:27: unable to access schema file p/s.json',
  ],
  [
    'schemas of two drafts',
    {
      'p/zarf.yaml': packageText('    import: {path: ../q}\n', withSchema),
      'p/v.yaml': '',
      'p/s.json': '{"$schema": "http://json-schema.org/draft-07/schema#"}',
      'q/zarf.yaml': packageText('', withSchema),
      'q/v.yaml': '',
      'q/s.json': '{"$schema": "http://json-schema.org/draft-04/schema#"}',
    },
    'p/zarf.yaml:3:27: cannot merge schemas with different versions: accumulated schema uses "http://json-schema.org/draft-07/schema#" but q/s.json declares "http://json-schema.org/draft-04/schema#"',
  ],
])
