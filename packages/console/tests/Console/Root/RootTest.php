<?php

declare(strict_types=1);

namespace Larder\Tests\Console\Root;

use Larder\Console\Root\ByRoot;
use Larder\Console\Root\Holder;
use Larder\Console\Root\OtherProcess;
use Larder\Console\Root\Outline;
use Larder\Console\Root\OwnedDirectory;
use Larder\Console\Root\Role;
use Larder\Console\Root\RootFiles;
use Larder\Console\Root\RootsProcess;
use Larder\Console\SiteFile;
use Larder\Page\NginxConfig;
use Larder\Page\NginxTarget;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Server\Nginx;
use Larder\Testbed\TemporaryDirectory;
use PDO;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use RecursiveDirectoryIterator;
use RecursiveIteratorIterator;
use SplFileInfo;
use Symfony\Component\Process\Process;

/**
 * The program as root starts it, over directories of php-fpm's user, who is an enemy here: nothing outside of them
 * changes, and what the enemy wrote is run by nobody but the enemy.
 */
#[CoversClass(ByRoot::class)]
#[CoversClass(Holder::class)]
#[CoversClass(OtherProcess::class)]
#[CoversClass(Outline::class)]
#[CoversClass(OwnedDirectory::class)]
#[CoversClass(Role::class)]
#[CoversClass(RootFiles::class)]
#[CoversClass(RootsProcess::class)]
#[CoversClass(SiteFile::class)]
final class RootTest extends TestCase
{
    private const ENEMY = 33;

    private const COMMANDS = [
        'deploy', 'flush', 'flush /news/4', 'flush news:4', 'purge', 'stats', 'top --once',
        'doctor --nginx=127.0.0.1:1', 'explain /news/4', 'explain news:4', 'warm --dry-run LIST',
        'nginx:config --front=FRONT', 'varnish:config',
        'contexts:secret', 'contexts:revoke --reload=true', 'guard --once --test=true --reload=true --patience=20 '
            . '--misses=1', 'follow --status FOLLOW', 'follow --unit FOLLOW',
    ];

    /** What the page store has: files first, and then directories. */
    private const FILES = ['counters', 'changes', 'history', 'slow', 'ledger', 'identity', 'unpurged', 'current',
        'contexts.secrets', 'contexts.secrets.lock', 'guard/news.conf.lock', 'state/status'];
    private const DIRECTORIES = ['draft', 'aside', 'r', 'to', 'stale', 'lease', 'refused', 'followed', 'guard',
        'state'];

    private TemporaryDirectory $directory;

    private string $path;

    protected function setUp(): void
    {
        if (posix_geteuid() !== 0) {
            self::markTestSkipped('needs root, to give it up');
        }
        $this->directory = new TemporaryDirectory('larder-root');
        $this->path = $this->directory->path . '/site';
        mkdir($this->path);
        foreach (['public', 'data', 'run', 'run/pages', 'treasure', 'treasure/tree', 'treasure/tree/below'] as $name) {
            mkdir("$this->path/$name");
        }
        chmod("$this->path/treasure", 0o700);
        foreach (['treasure/key', 'treasure/open', 'treasure/tree/one', 'treasure/tree/below/two'] as $name) {
            file_put_contents("$this->path/$name", "of root: $name\n");
            chmod("$this->path/$name", str_ends_with($name, 'open') ? 0o644 : 0o600);
        }
        file_put_contents("$this->path/public/index.php", '<?php');
        file_put_contents("$this->path/public/paths", "/news/4\n");
        $this->describe();
        file_put_contents("$this->path/follow.php", '<?php $site = require __DIR__ . "/larder.php"; '
            . 'return new Larder\Follow\Followed(fn() => Larder\Page\Pages::of($site)->ledger(), '
            . 'state: __DIR__ . "/run/pages/state");');
        $database = new PDO("sqlite:$this->path/data/site.sqlite");
        $database->exec('PRAGMA journal_mode = WAL');
        $database->exec('CREATE TABLE news (id INTEGER PRIMARY KEY, title TEXT)');
        $database->exec('CREATE TABLE comment (id INTEGER PRIMARY KEY, news_id INTEGER NOT NULL)');
        $database->exec("INSERT INTO news VALUES (4, 'Four')");
        unset($database);
        $this->give('data', 'run/pages');
    }

    protected function tearDown(): void
    {
        if (isset($this->directory)) {
            $this->directory->remove();
        }
    }

    public function testEachCommandIsDoneByWhoHasThePageDirectory(): void
    {
        file_put_contents("$this->path/larder.php", "<?php file_put_contents(__DIR__ . '/data/by', posix_geteuid() . "
            . "' ' . posix_getuid() . ' ' . (posix_getsid(0) === posix_getpid() ? 'own' : 'shared') . \"\\n\", "
            . 'FILE_APPEND); ?>' . file_get_contents("$this->path/larder.php"));
        $said = '';
        foreach (['deploy', 'stats', 'flush', 'explain /news/4', 'doctor --nginx=127.0.0.1:1'] as $command) {
            $said .= $this->larder($command)[1];
        }

        // The process that looks at the file may write nothing.
        self::assertSame(array_fill(0, 5, '33 33 own'), file("$this->path/data/by", FILE_IGNORE_NEW_LINES), $said);
        self::assertSame(0, fileowner("$this->path/larder.list"), 'root has the list where its directory is root\'s');
        self::assertSame([], $this->notOf(self::ENEMY, "$this->path/run/pages"));
        self::assertSame(0o100644, fileperms("$this->path/larder.list"));
    }

    public function testADirectoryOfRootsIsRootsWork(): void
    {
        exec("chown -R root: $this->path/run $this->path/data");
        $this->deploy();
        self::assertSame([], $this->notOf(0, "$this->path/run/pages"));
    }

    /** @return iterable<string, array{string}> */
    public static function attacks(): iterable
    {
        foreach (['dangling links', 'links to files', 'links to directories', 'pipes', 'devices', 'hard links',
            'the directory is a link', 'the directory above is the enemy\'s', 'a list of the enemy\'s', 'races',
        ] as $attack) {
            yield $attack => [$attack];
        }
    }

    #[DataProvider('attacks')]
    public function testNothingOutsideOfTheEnemysDirectoryIsTouched(string $attack): void
    {
        $this->deploy();
        foreach (self::COMMANDS as $command) {
            $race = $this->attack($attack);
            $before = $this->seen();
            $said = $this->larder($command);
            if ($race !== null) {
                posix_kill($race->getPid() ?? 0, SIGKILL);
            }

            self::assertSame($before, $this->seen(), "$attack, $command: $said[1]");
            self::assertLessThan(124, $said[0], "$attack, $command: $said[1]");
        }
    }

    public function testWhatTheEnemyWroteIsRunByTheEnemy(): void
    {
        $spy = '<?php file_put_contents("' . $this->path . '/data/spied", json_encode(["uid" => posix_geteuid(), '
            . '"back" => @posix_seteuid(0) || @posix_setuid(0) || @posix_setgid(0) || @posix_setegid(0), '
            . '"key" => @file_get_contents("' . $this->path . '/treasure/key"), '
            . '"groups" => in_array(0, posix_getgroups(), true), "terminal" => @fopen("/dev/tty", "r") !== false, '
            . '"open" => array_values(array_filter(array_map(fn($fd) => ctype_digit($fd) && $fd > 2 '
            . '? @file_get_contents("php://fd/$fd", false, null, 0, str_contains((string) @readlink('
            . '"/proc/self/fd/$fd"), "treasure") ? 9 : 0) : "", scandir("/proc/self/fd"))))]));';
        $this->describe("require __DIR__ . '/data/container.php';");
        file_put_contents("$this->path/data/container.php", $spy);
        $this->give('data');
        $root = "exec 7<$this->path/treasure/key; ";
        $commands = ['deploy', 'flush', 'stats', 'doctor --nginx=127.0.0.1:1', 'contexts:secret', 'guard --once'];
        foreach ($commands as $command) {
            [$code, $said] = $this->larder($command, $root);
            self::assertSame(2, $code, $said);
            self::assertStringContainsString('Root runs no code that somebody else may have written', $said);
            self::assertStringContainsString('/data/container.php, since of', $said);
            self::assertFileDoesNotExist("$this->path/data/spied");

            $this->larder("$command --as=www-data", $root);
            self::assertSame(
                ['uid' => self::ENEMY, 'back' => false, 'key' => false, 'groups' => false, 'terminal' => false,
                    'open' => []],
                json_decode((string) file_get_contents("$this->path/data/spied"), true),
                $command,
            );
            unlink("$this->path/data/spied");
        }
    }

    /** A list, and a controller's file, which only the command itself includes. */
    public function testWhatOnlyTheCommandIncludesIsTheEnemysToo(): void
    {
        $spy = "file_put_contents('$this->path/data/spied', posix_geteuid() . ' ' . (int) @posix_seteuid(0) . ' '"
            . " . (int) @file_get_contents('$this->path/treasure/key'));";
        $this->describe("spl_autoload_register(fn(\$c) => \$c === 'Enemy' && require __DIR__ . '/data/Enemy.php');", [
            'controllers' => "['Enemy']", 'list' => "__DIR__ . '/data/list.php'",
        ]);
        $class = "#[Larder\Page\Attribute\Reads('news')] class Enemy {}";
        file_put_contents("$this->path/data/Enemy.php", "<?php $spy $class");
        file_put_contents("$this->path/data/list.php", "<?php $spy");
        $this->give('data');
        $this->deploy();
        self::assertSame('33 0 0', file_get_contents("$this->path/data/spied"));
        unlink("$this->path/data/spied");
        file_put_contents("$this->path/data/list.php", "<?php $spy");
        foreach (['stats', 'explain /news/4', 'flush', 'top --once', 'doctor --nginx=127.0.0.1:1'] as $command) {
            $this->larder($command);
            self::assertFileDoesNotExist("$this->path/data/spied", $command);
        }
    }

    public function testRootRefusesTheFileOfASiteThatOthersMayWrite(): void
    {
        $refused = 'Root runs no code that somebody else may have written';
        chmod("$this->path/larder.php", 0o666);
        self::assertStringContainsString("$refused: $this->path/larder.php, since of $this->path/larder.php everybody "
            . 'may write to it', $this->larder('stats')[1]);
        chmod("$this->path/larder.php", 0o644);
        chmod($this->path, 0o775);
        self::assertStringContainsString("since of $this->path its group may write to it", $this->larder('stats')[1]);
        chmod($this->path, 0o755);
        copy("$this->path/larder.php", "$this->path/data/larder.php");
        symlink("$this->path/data/larder.php", "$this->path/link.php");
        [$code, $said] = $this->larder("stats --site=$this->path/link.php");
        self::assertSame(2, $code);
        self::assertStringContainsString("since of $this->path/data it belongs to www-data", $said);
        self::assertStringContainsString('"error": "Root runs no code', $this->larder(
            "stats --format=json --site=$this->path/link.php",
        )[1]);
        $this->deploy();
    }

    public function testRootRefusesAnAutoloaderThatOthersMayWrite(): void
    {
        mkdir("$this->path/data/vendor/bin", recursive: true);
        file_put_contents("$this->path/data/vendor/autoload.php", "<?php touch('$this->path/data/spied');");
        $this->give('data');
        file_put_contents("$this->path/proxy", "<?php \$GLOBALS['_composer_autoload_path'] = "
            . "'$this->path/data/vendor/autoload.php'; include '" . \dirname(__DIR__, 3) . "/bin/larder';");
        $process = new Process([PHP_BINARY, "$this->path/proxy", 'list']);
        self::assertSame(2, $process->run());
        self::assertStringContainsString('Root runs no code', $process->getErrorOutput());
        self::assertFileDoesNotExist("$this->path/data/spied");
    }

    public function testWithoutPosixRootDoesNothing(): void
    {
        foreach (['deploy', 'flush', 'stats', 'contexts:secret'] as $command) {
            $process = new Process([PHP_BINARY, '-d', 'disable_functions=posix_setuid', ...$this->words($command)]);
            self::assertSame(2, $process->run());
            self::assertStringContainsString('this PHP has no posix_setuid()', $process->getErrorOutput());
        }
    }

    public function testACommandEndsAsItsWorkDoes(): void
    {
        $this->deploy();
        self::assertSame(2, $this->larder('explain /nothing')[0]);
        [$code, $said] = $this->larder('warm --dry-run -', 'echo /news/4 | ');
        self::assertSame(0, $code, $said);
        self::assertStringContainsString('/news/4', $said);
        $top = new Process([PHP_BINARY, ...$this->words('top')]);
        $top->start();
        $top->waitUntil(static fn(string $type, string $out): bool => str_contains($out, 'pages'));
        $worker = (int) trim((string) file_get_contents("/proc/{$top->getPid()}/task/{$top->getPid()}/children"));
        $top->signal(SIGINT);
        $top->wait();
        self::assertSame(128 + SIGINT, $top->getExitCode());
        self::assertFalse(posix_kill($worker, 0), 'the process of the other user ends with it');
    }

    public function testRootDoesWhatOnlyRootMay(): void
    {
        mkdir("$this->path/etc");
        $this->describe('', ['secrets' => "__DIR__ . '/etc/secrets'", 'guard' => "__DIR__ . '/etc'"]);
        [$code, $said] = $this->larder("contexts:secret --group=www-data --reload='id -u >$this->path/etc/by'");
        self::assertSame([0, '0'], [$code, trim((string) file_get_contents("$this->path/etc/by"))], $said);
        self::assertSame([0, 0o100640], [fileowner("$this->path/etc/secrets"), fileperms("$this->path/etc/secrets")]);
        unlink("$this->path/etc/by");
        $this->larder("guard --once --test=true --patience=20 --misses=1 --reload='id -u >$this->path/etc/by'");
        self::assertSame('0', trim((string) file_get_contents("$this->path/etc/by")));

        // Where the files are php-fpm's user's, that one writes them, and root still reloads.
        unlink("$this->path/etc/by");
        $this->give('etc');
        $this->larder("contexts:secret --reload='id -u >$this->path/treasure/by'");
        self::assertSame("0\n", file_get_contents("$this->path/treasure/by"));
        unlink("$this->path/etc/secrets");
        self::assertSame(0, $this->larder('contexts:secret')[0]);
        self::assertSame(self::ENEMY, fileowner("$this->path/etc/secrets"));
    }

    /** @return iterable<string, array{string}> */
    public static function umasks(): iterable
    {
        yield 'nothing for others' => ['077'];
        yield 'all for others' => ['000'];
    }

    #[DataProvider('umasks')]
    public function testNginxReadsThePagesAsAnotherUserAndNobodyElseDoes(string $umask): void
    {
        rmdir("$this->path/run/pages");
        $this->deploy('deploy --user=www-data --group=daemon', "umask $umask; ");
        self::assertSame(0o042750, fileperms("$this->path/run/pages"));
        $store = '$site = require $argv[1]; require $argv[2]; $db = Larder\Page\Pages::of($site)->connect(); '
            . '$cache = Larder\Page\Pages::of($site)->pageCache($db); '
            . 'foreach (["/news/4", "/news/5"] as $uri) $cache->answer(new Larder\Page\PageRequest("GET", $uri, '
            . 'false), Larder\Tests\Support\NewsController::class, function () use ($db) { $db->query("SELECT * '
            . 'FROM news WHERE id = 4")->fetchAll(); return new Larder\Page\Response(200, '
            . '["content-type" => ["text/html; charset=utf-8"]], "the page"); });';
        $autoload = \dirname(__DIR__, 5) . '/vendor/autoload.php';
        $made = new Process(['sh', '-c', "umask $umask; exec setpriv --reuid=www-data --regid=www-data --clear-groups "
            . PHP_BINARY . ' -r ' . escapeshellarg("require '$autoload'; $store")
            . " $this->path/larder.php $autoload"]);
        self::assertSame(0, $made->run(), $made->getErrorOutput() . $made->getOutput());
        $this->larder('contexts:secret');
        $site = SiteFile::read("$this->path/larder.php");
        $nginx = new Nginx("$this->path/nginx", fn(int $port): string => (new NginxConfig($site, new NginxTarget(
            ["127.0.0.1:$port"],
            '/nowhere.sock',
            "$this->path/public/index.php",
            directory: "$this->path/nginx",
            user: 'daemon',
            log: "$this->path/nginx/nginx.log",
        )))->whole());
        foreach (['/news/4', '/news/5'] as $uri) {
            $answer = Connection::fetch("http://localhost:{$nginx->port()}$uri");
            self::assertSame([200, 'the page'], [$answer->status, $answer->body], $uri);
        }
        $nginx->stop();
        foreach (['counters', 'changes', 'history', 'refused', 'lease', '', 'r'] as $name) {
            $status = @lstat("$this->path/run/pages/$name");
            if ($status === false) {
                continue;
            }
            $reads = new Process(['setpriv', '--reuid=nobody', '--regid=nogroup', '--clear-groups', 'ls',
                "$this->path/run/pages/$name"]);
            self::assertNotSame(0, $reads->run(), $name);
            self::assertSame(0, $status['mode'] & 0o022, "$name may be written by others");
        }
        foreach (['counters' => 0o640, 'changes' => 0o640, 'history' => 0o640] as $name => $mode) {
            self::assertSame(0o100000 | $mode, fileperms("$this->path/run/pages/$name"), $name);
        }
        self::assertSame(0o700, fileperms("$this->path/run/pages/lease") & 0o777);
    }

    public function testNobodyElseComesToTheLeases(): void
    {
        $this->deploy();
        mkdir("$this->path/run/pages/lease", 0o755);
        touch("$this->path/run/pages/lease/guard");
        $this->give('run/pages');
        $take = 'require $argv[1]; (new Larder\Page\Lease\FileLeases($argv[2], 30))->acquire("x")?->release();';
        (new Process(['setpriv', '--reuid=www-data', '--regid=www-data', '--clear-groups', PHP_BINARY, '-r', $take,
            \dirname(__DIR__, 5) . '/vendor/autoload.php', "$this->path/run/pages/lease"]))->mustRun();
        $holds = new Process(['setpriv', '--reuid=nobody', '--regid=nogroup', '--clear-groups', 'flock', '-n', '-x',
            "$this->path/run/pages/lease/guard", 'true']);
        self::assertNotSame(0, $holds->run());
    }

    public function testOnlyRootGivesThePageDirectoryAway(): void
    {
        self::assertStringContainsString('belongs to www-data', $this->larder('deploy --user=nobody')[1]);
        self::assertSame(self::ENEMY, fileowner("$this->path/run/pages"));
        $process = new Process(['setpriv', '--reuid=www-data', '--regid=www-data', '--clear-groups', PHP_BINARY,
            ...$this->words('deploy --group=nogroup')]);
        self::assertSame(2, $process->run());
        self::assertStringContainsString('are for root', $process->getErrorOutput());
        $this->describe('', ['pages' => "__DIR__ . '/data/pages'"]);
        symlink("$this->path/treasure", "$this->path/data/pages");
        [$code, $said] = $this->larder('deploy --user=www-data --group=nogroup');
        self::assertSame(2, $code);
        self::assertStringContainsString("since $this->path/data is not root's alone", $said);
    }

    /** @param array<string, string> $more arguments of the site, as PHP */
    private function describe(string $first = '', array $more = []): void
    {
        $of = $more + [
            'pages' => "__DIR__ . '/run/pages'",
            'list' => "__DIR__ . '/larder.list'",
            'controllers' => '[Larder\Tests\Support\NewsController::class]',
            'secrets' => "__DIR__ . '/run/pages/contexts.secrets'",
            'guard' => "__DIR__ . '/run/pages/guard'",
        ];
        // The site of the guard has its pages in memcached, and the other one in files.
        file_put_contents("$this->path/larder.php", <<<PHP
            <?php
            $first
            \$isGuard = in_array('guard', \$_SERVER['argv'] ?? [], true);
            return new Larder\Page\Site(
                name: 'news',
                hosts: ['localhost'],
                pages: {$of['pages']},
                list: {$of['list']},
                controllers: {$of['controllers']},
                connect: fn() => new Larder\Sql\Tracker\RecordingPdo('sqlite:' . __DIR__ . '/data/site.sqlite'),
                visitors: new Larder\Page\Visitors(contexts: \$isGuard ? null : new Larder\Page\Contexts(
                    secrets: {$of['secrets']},
                    cookie: 'context',
                    dimensions: ['kind' => ['guest', 'member']],
                )),
                storage: new Larder\Page\Storage(\$isGuard ? ['127.0.0.1:1'] : [], \$isGuard ? {$of['guard']} : null),
                operations: new Larder\Page\Operations(code: []),
            );
            PHP);
        chmod("$this->path/larder.php", 0o644);
    }

    private function give(string ...$names): void
    {
        foreach ($names as $name) {
            exec('chown -hR www-data:www-data ' . escapeshellarg("$this->path/$name"));
        }
    }

    private function attack(string $attack): ?Process
    {
        $pages = "$this->path/run/pages";
        do {
            // What the command before has begun may still write there.
            exec("rm -rf $pages $this->path/run/moved 2>/dev/null", result_code: $failed);
        } while ($failed !== 0);
        mkdir($pages);
        if (is_link("$this->path/data/list")) {
            unlink("$this->path/data/list");
        }
        foreach (['guard', 'state'] as $name) {
            mkdir("$pages/$name");
        }
        $race = null;
        foreach (self::FILES as $name) {
            match ($attack) {
                'dangling links' => symlink("$this->path/treasure/new-" . basename($name), "$pages/$name"),
                'links to files' => symlink(
                    "$this->path/treasure/" . (\strlen($name) % 2 === 0 ? 'key' : 'open'),
                    "$pages/$name",
                ),
                'pipes' => posix_mkfifo("$pages/$name", 0o666),
                'devices' => posix_mknod("$pages/$name", POSIX_S_IFCHR | 0o666, 1, 5),
                'hard links' => link("$this->path/treasure/key", "$pages/$name"),
                default => null,
            };
        }
        if (\in_array($attack, ['links to directories', 'races'], true)) {
            foreach (self::DIRECTORIES as $name) {
                @rmdir("$pages/$name");
                symlink("$this->path/treasure/tree", "$pages/$name");
            }
        }
        // A hard link is the file itself: it stays root's.
        exec($attack === 'hard links'
            ? "chown www-data: $pages $pages/guard $pages/state"
            : "chown -hR www-data: $pages");
        if ($attack === 'the directory is a link') {
            $this->describe('', ['pages' => "__DIR__ . '/data/pages'"]);
            @unlink("$this->path/data/pages");
            symlink("$this->path/treasure", "$this->path/data/pages");
            $this->give('data');
        } elseif ($attack === 'the directory above is the enemy\'s') {
            $this->describe('', ['pages' => "__DIR__ . '/data/above/pages'", 'secrets' => "__DIR__ . '/data/above/s'",
                'guard' => "__DIR__ . '/data/above/guard'", 'list' => "__DIR__ . '/data/above/list'"]);
            @unlink("$this->path/data/above");
            symlink("$this->path/treasure", "$this->path/data/above");
            $this->give('data');
        } elseif ($attack === 'a list of the enemy\'s') {
            $this->describe('', ['list' => "__DIR__ . '/data/list'"]);
            symlink("$this->path/treasure/key", "$this->path/data/list");
            $this->give('data');
        } elseif ($attack === 'races') {
            $race = new Process(['setpriv', '--reuid=www-data', '--regid=www-data', '--clear-groups', 'sh', '-c',
                "cd $pages; while :; do for n in counters changes draft aside r; do rm -rf \$n; ln -s "
                . "$this->path/treasure/tree \$n; rm -f \$n; ln -s $this->path/treasure/new \$n; rm -f \$n; mkdir \$n; "
                . 'done; done 2>/dev/null']);
            $race->start();
        }

        return $race;
    }

    /** @return array<string, string> of each file and directory that is not the enemy's, whatever could change */
    private function seen(): array
    {
        $seen = [];
        $entries = new RecursiveDirectoryIterator($this->path, RecursiveDirectoryIterator::SKIP_DOTS);
        clearstatcache();
        foreach (new RecursiveIteratorIterator($entries, RecursiveIteratorIterator::SELF_FIRST) as $entry) {
            $path = $entry instanceof SplFileInfo ? $entry->getPathname() : '';
            $isEnemys = str_starts_with($path, "$this->path/run/pages/") || str_starts_with($path, "$this->path/data/");
            $status = $isEnemys || $path === "$this->path/larder.list" ? false : lstat($path);
            if ($status !== false && !\in_array($path, ["$this->path/run/pages", "$this->path/data"], true)) {
                $content = is_file($path) && !is_link($path) ? md5_file($path) : '';
                $seen[$path] = "$content {$status['mode']} {$status['uid']} {$status['gid']} {$status['mtime']} "
                    . "{$status['ctime']} {$status['nlink']}";
            }
        }
        ksort($seen);

        return $seen;
    }

    /** @return list<string> what is not this user's */
    private function notOf(int $user, string $path): array
    {
        exec("find $path ! -user $user", $found);

        return $found;
    }

    /** @return list<string> */
    private function words(string $command): array
    {
        $files = ['LIST' => "$this->path/public/paths", 'FRONT' => "$this->path/public/index.php",
            'FOLLOW' => "$this->path/follow.php"];
        $site = str_contains($command, '--site=') || str_starts_with($command, 'follow')
            ? []
            : ["--site=$this->path/larder.php"];

        return [\dirname(__DIR__, 3) . '/bin/larder', ...explode(' ', strtr($command, $files)), ...$site];
    }

    private function deploy(string $command = 'deploy', string $shell = ''): void
    {
        [$code, $said] = $this->larder($command, $shell);
        self::assertSame(0, $code, $said);
    }

    /** @return array{int, string} exit code, and all that it said */
    private function larder(string $command, string $shell = ''): array
    {
        $files = ['LIST' => "$this->path/public/paths", 'FRONT' => "$this->path/public/index.php",
            'FOLLOW' => "$this->path/follow.php"];
        $site = str_contains($command, '--site=') || str_starts_with($command, 'follow')
            ? ''
            : " --site=$this->path/larder.php";
        $process = new Process(['sh', '-c', $shell . 'timeout -s KILL 60 ' . PHP_BINARY . ' ' . \dirname(__DIR__, 3)
            . '/bin/larder ' . strtr($command, $files) . $site]);
        $code = $process->run();

        return [$code, $process->getOutput() . $process->getErrorOutput()];
    }
}
