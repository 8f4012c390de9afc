import { perl } from '../../../src/programs/perl.ts';
import { type Row, runTable } from './run-model.ts';

const PERL: readonly Row[] = [
  ["perl -e 'print 1'", []],
  ["perl -ne 'print if /x/' a.txt", ['read a.txt']],
  ["perl -pi -e 's/a/b/' src/a.c src/b.c", ['read src/a.c', 'read src/b.c', 'write src/a.c', 'write src/b.c']],
  ["perl -i.bak -pe 's/a/b/' a.c", ['read a.c', 'write a.c', 'write a.c.bak']],
  ["perl -0777 -pi -e 's/a/b/' a.c", ['read a.c', 'write a.c']],
  ["perl -lane 'print' a", ['read a']],
  ['perl -MFile::Path -e \'File::Path::remove_tree("/home/dev/w")\'', ['delete /home/dev/w -r ?']],
  ['perl -c a.pl', ['read a.pl']],
  ['perl a.pl x', ['exec a.pl', 'delete /home/dev/x ?'], { files: { 'a.pl': "unlink '/home/dev/x'" } }],
  ['perl -v', []],
  ['cpanm --installdeps .', ['install dependencies of the project']],
  ['cpanm Moo', ['install-global Moo']],
  ['prove -l t', []],
  ['perltidy -b a.pl', ['write a.pl -r some']],
];

runTable('perl', perl, PERL);
