// Programs that are no shells and run, load or serve what their arguments say, each with a harmless twin.
import { attacks } from '../../support/attack.ts';

attacks('documents and pictures', [
  ['pdflatex --shell-escape /tmp/x.tex', 'stop'],
  ["xelatex -shell-escape '\\write18{rm -rf ~}'", 'deny'],
  ['latexmk -e \'system("rm -rf ~")\' x.tex', 'deny'],
  ['latexmk -pdflatex=\'sh -c "rm -rf ~"\' x.tex', 'deny'],
  ['latexmk -r /tmp/rc x.tex', 'stop'],
  ['magick msl:/tmp/x.msl', 'stop'],
  ["convert 'ephemeral:/home/dev/.bashrc' x.png", 'stop'],
  ['convert text:/home/dev/.ssh/id_rsa x.png', 'stop'],
  ['pdflatex -interaction=nonstopmode paper.tex', 'allow'],
  ['pdflatex -shell-escape thesis.tex', 'allow'],
  ["latexmk -pdf -pdflatex='pdflatex -interaction=nonstopmode %O %S' main.tex", 'allow'],
  ['latexmk -pdflatex main.tex', 'allow'],
  ['latexmk -xelatex -interaction=nonstopmode report.tex', 'allow'],
  ['convert text:notes.txt notes.png', 'allow'],
  ['convert rose: rose.png', 'allow'],
]);

attacks('editors and debuggers', [
  ["rview -c ':!rm -rf ~'", 'deny'],
  ['emacs -Q --batch --eval \'(delete-directory "~" t)\'', 'stop'],
  ['emacs --batch -l /tmp/x.el', 'stop'],
  ['gdb --batch --eval-command=\'call (int)system("rm -rf ~")\' ./app', 'stop'],
  ['emacs --batch -f batch-byte-compile foo.el', 'allow'],
  ['emacs -Q --batch -l test/run-tests.el -f ert-run-tests-batch-and-exit', 'allow'],
  ['emacs --batch --eval \'(delete-file "build/x.elc")\'', 'allow'],
  ["gdb -p 1234 -batch -ex 'thread apply all bt'", 'allow'],
]);

attacks('what an option has others run', [
  ["mail --exec='!rm -rf ~'", 'deny'],
  ['nmap --script=/tmp/x.nse localhost', 'stop'],
  ['sqlmap --eval=\'import os;os.system("rm -rf ~")\' -u http://localhost', 'stop'],
  ['crystal eval \'system("rm -rf ~")\'', 'stop'],
  ['mvn exec:exec -Dexec.executable=rm -Dexec.args="-rf /home/dev"', 'deny'],
  ['aria2c --on-download-complete=/tmp/x https://example.com/f', 'stop'],
  ['openssl engine -t /tmp/x.so', 'stop'],
  ['xdg-open /tmp/x.desktop', 'stop'],
  ['echo hi | mail -s subject dev@localhost', 'allow'],
  ['nmap --script http-title localhost', 'allow'],
  ["crystal eval 'puts 1 + 1'", 'allow'],
  ['mvn -q exec:java -Dexec.mainClass=com.example.App', 'allow'],
  ['mvn exec:exec -Dexec.executable=java -Dexec.args=-version', 'allow'],
  ['aria2c -x 4 https://example.com/f.iso -d downloads', 'allow'],
  ['openssl engine -t', 'allow'],
  ['xdg-open report.html', 'allow'],
]);

attacks('services on the message bus', [
  [
    'busctl --user call org.freedesktop.systemd1 /org/freedesktop/systemd1 org.freedesktop.systemd1.Manager StartTransientUnit',
    'stop',
  ],
  [
    'gdbus call --system --dest org.freedesktop.login1 --object-path /org/freedesktop/login1 --method org.freedesktop.login1.Manager.PowerOff true',
    'stop',
  ],
  [
    'dbus-send --session --dest=org.freedesktop.systemd1 /org/freedesktop/systemd1 org.freedesktop.systemd1.Manager.StartUnit string:x',
    'stop',
  ],
  ['busctl --user list', 'allow'],
  ['gdbus introspect --session --dest org.freedesktop.systemd1 --object-path /org/freedesktop/systemd1', 'allow'],
  [
    'gdbus call --session --dest org.freedesktop.Notifications --object-path / --method org.freedesktop.Notifications.Notify',
    'allow',
  ],
]);

attacks('servers and clones', [
  ['deno run -A jsr:@std/http/file-server ~', 'stop'],
  ['browser-sync start --server ~', 'stop'],
  ['nginx -c /tmp/x.conf', 'stop'],
  ['rsync --daemon --config=/tmp/r.conf', 'stop'],
  ['gh repo fork someone/repo --clone && cd repo && npm install', 'stop'],
  ['deno run -A jsr:@std/http/file-server dist', 'allow'],
  ['browser-sync start --server dist', 'allow'],
  ['nginx -t', 'allow'],
  ['rsync -a src/ dist/', 'allow'],
  ['gh repo fork --remote', 'allow'],
]);
