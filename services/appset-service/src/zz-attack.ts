import { loadTemplateEngine } from '@wadi/gotemplate/template.ts'
import { startUsersFixture, listSet, setOf, templateOf, applicationOf, policy } from './routes/users-fixture.ts'
const e = await loadTemplateEngine()
const go=(t:string,d:any={})=>{try{return e.render({name:'x',text:t,data:d})}catch(x){return String(x).slice(0,140)}}
console.log(go('{{htmlDate "x"}} {{htmlDateInZone "x" "UTC"}}'), go('{{ (toDate "2006" "2020").Local }}'), go('{{ (toDate "2006" "2020").Unix }}'), go('{{$t := toDate "2006" "2020"}}{{ $t.Sub $t }}'), go('{{ toDate "bad" "x" }}'),go('{{ must_date_modify "1h" (toDate "2006" "2020") }}'))
await using f = await startUsersFixture(policy + `
p, bob, applications, *, dev/bob-*, allow
p, bob, repositories, get, https://git.example.com/bob/*, allow
p, den, applications, *, dev/*, allow
p, den, repositories, get, *, allow
p, den, repositories, get, https://git.example.com/secret/app.git, deny
p, den, repositories, get, https://git.example.com/hidden/*, deny
`, { matches: {'*': ['a','b']}})
const T = async (n:string, p:()=>Promise<any>) => { const t=performance.now(); let max=0, last=performance.now(); const iv=setInterval(()=>{const x=performance.now(); max=Math.max(max,x-last); last=x},5); let r; try { r = await p(); r=JSON.stringify(r) } catch (x:any) { r = x.constructor.name+': '+x.message } await new Promise(r=>setTimeout(r,10)); clearInterval(iv); console.log(n,'|', (performance.now()-t).toFixed(0)+'ms block '+max.toFixed(0),'|', String(r).slice(0,300)) }
const olga = f.as('olga'), anna=f.as('anna'), bob=f.as('bob'), den=f.as('den')
await olga.apply(listSet(['p1','p2'], {project:'prod', name:'prodset'}))
await T('generate hidden', ()=>bob.generate(listSet(['bob-1'], {name:'prodset'})))
await T('generate free', ()=>bob.generate(listSet(['bob-1'], {name:'freeset'})))
const git = (repoURL:string)=> setOf({goTemplate:true, generators:[{git:{repoURL, revision:'HEAD', directories:[{path:'*'}]}}], template: templateOf('bob-{{.path.basename}}','dev')})
for (const u of ['https://git.example.com/bob/a.git','https://git.example.com/bob/../secret/app.git','https://git.example.com/bob/%2e%2e/secret/app.git','https://git.example.com/bob//../x','git@git.example.com:bob/x','https://GIT.example.com/bob/a', 'file:///etc','ext::sh -c id','http://2852039166/x','http://0xa9fea9fe/x','https://[::ffff:169.254.169.254]/x','https://user@git.example.com/bob/a','https://git.example.com/bob/a?x=y','https://git.exаmple.com/bob/a','https://git.example.com/bob/a/','https://git.example.com/bob/a%00','https://169.254.169.254:443/bob/x','http://0251.0376.0251.0376/x','http://[fd00:ec2::254]/x'])
  await T('bob '+u, ()=>bob.generate(git(u)))
for (const u of ['https://git.example.com/secret/app.git','https://git.example.com/secret/app','https://git.example.com/secret/app/','https://GIT.example.com/secret/app.git','https://git.example.com/Secret/app.git','https://git.example.com:443/secret/app.git','https://git.example.com/%73ecret/app.git','https://git.example.com//secret/app.git','https://git.example.com/x/../secret/app.git','https://git.example.com:443/hidden/app.git','https://git.example.com/./hidden/app.git','https://git.example.com/hidden%2fapp'])
  await T('den '+u, ()=>den.generate(git(u)))
// nesting
let nest:any = {list:{elements:[{a:'b'}]}}; for (let i=0;i<3000;i++) nest={matrix:{generators:[nest,{list:{elements:[{a:'b'}]}}]}}
await T('nest', ()=>anna.generate(setOf({generators:[nest], template:templateOf('x','dev')})))
const els=(n:number,k='name',p='a')=>({list:{elements:Array.from({length:n},(_, i)=>({[k]:p+i}))}})
await T('1000x1000', ()=>anna.generate(setOf({generators:[{matrix:{generators:[els(1000),els(1000,'b')]}}], template:templateOf('{{name}}-{{b}}','dev')})))
await T('mergekeys', ()=>anna.generate(setOf({generators:[{merge:{mergeKeys:['name',...Array.from({length:5000},(_, i)=>'k'+i)],generators:[els(5000),els(5000)]}}], template:templateOf('{{name}}','dev')})))
await T('selector 1000x9000', ()=>anna.generate(setOf({generators:[{...els(9000),selector:{matchExpressions:Array.from({length:1000},(_, i)=>({key:'k'+i,operator:'DoesNotExist'}))}}], template:templateOf('{{name}}','dev')})))
await T('selector 1e6', ()=>anna.generate(setOf({generators:[{...els(9),selector:{matchExpressions:Array.from({length:100000},(_, i)=>({key:'k'+i,operator:'DoesNotExist'}))}}], template:templateOf('{{name}}','dev')})))
const loop='{{range until 900}}{{range until 900}}{{end}}{{end}}'
const tpl:any=templateOf('{{.name}}','dev'); tpl.metadata.annotations=Object.fromEntries(Array.from({length:10},(_, i)=>['a'+i, loop]))
await T('loops', ()=>anna.generate(setOf({goTemplate:true,generators:[els(1)], template:tpl})))
const tpl2:any=templateOf('{{.name}}','dev'); tpl2.metadata.annotations=Object.fromEntries(Array.from({length:2000},(_, i)=>['a'+i, '{{.name}}'+i]))
await T('many strings', ()=>anna.generate(setOf({goTemplate:true,generators:[els(1)], template:tpl2})))
await T('matrix interpolated 9000', ()=>anna.generate(setOf({goTemplate:true,generators:[{matrix:{generators:[els(1,'x'),els(9000,'name','a{{.x}}')]}}], template:templateOf('{{.name}}','dev')})))
