package main
import ("text/template";"os";"github.com/Masterminds/sprig/v3";"syscall/js";"encoding/json";"sigs.k8s.io/yaml")
func main(){ var x any; json.Unmarshal([]byte(os.Args[0]),&x); yaml.Unmarshal([]byte(os.Args[0]),&x); y,_:=yaml.Marshal(x); js.Global().Set("a", string(y)); t:=template.Must(template.New("x").Funcs(sprig.Functions()).Parse(os.Args[0])); t.Execute(os.Stdout, x)}
