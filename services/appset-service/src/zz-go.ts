import { loadTemplateEngine } from '@wadi/gotemplate/template.ts'
import { yamlValues } from './params/yaml-values.ts'
import { flatParameters } from './params/flat-parameters.ts'
const e = await loadTemplateEngine()
const T=(n:string,f:()=>unknown)=>{const t=performance.now(); let r; try{r=f()}catch(x){r=String(x).slice(0,150)} console.log(n, (performance.now()-t).toFixed(1), typeof r==='string'?r.slice(0,80):'')}
for (let k=0;k<3;k++) T('small', ()=>e.render({name:'x',text:'{{.a}}-x',data:{a:'b'}}))
T('1000 small', ()=>{for(let i=0;i<1000;i++) e.render({name:'x',text:'{{.a}}-x'+i,data:{a:'b'}})})
const big = {a:'b', m:Object.fromEntries(Array.from({length:20000},(_, i)=>['k'+i,'value value value value '+i]))}
T('big data', ()=>e.render({name:'x',text:'{{.a}}-x',data:big}))
T('big data', ()=>e.render({name:'x',text:'{{.a}}-x',data:big}))
T('loop', ()=>e.render({name:'x',text:'{{range until 100000}}{{range until 100000}}{{repeat 1000000 "a" | len}}{{end}}{{end}}',data:{}}))
for (const f of ['now','env "HOME"','randAlpha 3','genPrivateKey "rsa"','getHostByName "x"','uuidv4','date "2006" 1','htmlDate 1','ago 1','expandenv "$HOME"','genCA "a" 1','derivePassword 1 "long" "a" "b" "c"','bcrypt "a"','htpasswd "a" "b"','shuffle "abc"','randInt 1 2','randBytes 3','encryptAES "a" "b"','osBase "a"','dateInZone "2006" 0 "UTC"','toDate "2006" "2020"','buildCustomCert "a" "b"','genSelfSignedCert "a"','genSignedCert "a"','unixEpoch 1','duration 3','adler32sum "a"','fail "x"','lookup','include "a" 1','tpl "a" 1','date_in_zone "2006" 0 "UTC"','dateModify "-1h" 1','durationRound "2h"']) T(f, ()=>e.render({name:'x',text:`{{${f}}}`,data:{}}))
const y = Array.from({length:24000},(_, i)=>`k${i}: {a: "v${i}", b: [1,2]}`).join('\n')
T('yaml '+y.length, ()=>yamlValues('f', y))
T('yaml list of {}', ()=>yamlValues('f', '- {}\n'.repeat(190000)))
const anchors = 'a: &a [1,1,1,1,1,1,1,1,1,1]\n'+Array.from({length:8},(_, i)=>`b${i}: &b${i} [${Array(10).fill(i?`*b${i-1}`:'*a').join(',')}]`).join('\n')
T('alias bomb', ()=>yamlValues('f', anchors))
T('longline', ()=>yamlValues('f', 'a: '+'x '.repeat(500000)))
T('json', ()=>yamlValues('f', JSON.stringify(Object.fromEntries(Array.from({length:24000},(_, i)=>['k'+i,{a:'v'+i,b:[1,2]}])))))
T('binary', ()=>yamlValues('f', Buffer.from(Array.from({length:100000},(_, i)=>(i*7919)%256)).toString()))
T('nul', ()=>yamlValues('f', 'a: "\0"\n'))
T('deep', ()=>yamlValues('f', '['.repeat(100000)))
T('dup err', ()=>yamlValues('f', 'a: 1\na: 2\n'))
T('tab', ()=>yamlValues('f', 'a:\n\tb: 2\n'))
console.log(JSON.stringify(yamlValues('f','a: yes\nb: 0o17\nc: 0x1F\nd: 1_000\ne: 012\nf: 1e3\ng: ~\nh: 12:30\ni: 2001-01-01\n1: x\ntrue: y\n1.5: z\nj: on\nk: 12.50\nl: 1000000\nm: !!str 5\nn: 0b11\no: +5\np: .5\nq: 1e+06\n')))
T('inf', ()=>JSON.stringify(yamlValues('f','a: .inf')))
T('1e400', ()=>JSON.stringify(yamlValues('f','a: 1e400')))
