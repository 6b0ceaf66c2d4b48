<?php

declare(strict_types=1);

namespace Larder\Proof\Code;

use Larder\Code\MemcachedPool;
use Larder\Code\Publisher;
use Larder\Code\Releases;
use Larder\Code\SecretKey;
use Larder\Proof\About;
use Larder\Proof\Option;
use Larder\Proof\Result;
use Larder\Proof\Run;
use Larder\Proof\Torture;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Server\Memcached;

/** Pushes and switches releases under load, and does to the pool and the host what must not be noticed. */
final class CodeTorture implements Torture
{
    /** After so many releases there is an attack, and old ones are pruned. */
    private const ATTACK_EACH = 5;

    /** Seconds that a request may take on a busy machine, in which there are many releases. */
    private const RUNNING = 5.0;

    public function about(): About
    {
        return new About(
            'code',
            'Pushes releases of code through the pool and switches to them under load, while the pool is spoilt',
            <<<'HELP'
            Example: <info>script/torture code --releases=1000</info>

            Eight readers ask an nginx and a php-fpm for one page, whose five files each give the number of their
            release. Meanwhile releases are pushed, pulled, warmed and switched to. In between, packs are spoilt and
            removed, a release is signed by another key, an old one is put back, a pull is killed at each of its steps,
            and, if root runs this, one meets a full disk. The exit code is 1 if an answer was made of two releases, if
            one was an error, or if what must be refused was not, or not by the name of its file.
            HELP,
            [
                Option::number('releases', 'How many releases are pushed', 20, 100_000, 100),
                Option::choice('broken', 'Take a guard away, to see that it is missed: path (the page names its files'
                    . ' by the link), hash (of packs), signature, number (of releases), part (a release has its name'
                    . ' before it is whole)', array_column(MissingGuard::cases(), 'value')),
            ],
        );
    }

    public function run(Run $run): Result
    {
        $missing = MissingGuard::from($run->text('broken'));
        $missing->takeAway();
        $scratch = $run->directory();
        $memcached = new Memcached($scratch . '/pool');
        $run->atEnd($memcached->stop(...));
        $pool = new MemcachedPool($memcached->endpoint()->address());
        $board = Board::create(['end' => 1, Count::class => ServedCode::READERS]);
        $key = SecretKey::make();
        $releases = new Releases($scratch . '/host');
        $publisher = new Publisher($pool, $key, 'shop');
        $attacks = new Attacks($pool, $key, $releases);
        $number = 0;
        $above = $missing === MissingGuard::Path ? var_export("$scratch/host/current", true) : '__DIR__ . "/.."';
        $push = static function () use ($publisher, $scratch, $above, &$number): string {
            ++$number;
            self::write($scratch . '/source', ServedCode::files($number, $above));

            return $publisher->push($scratch . '/source', "r$number")->release;
        };
        $push();
        $attacks->puller()->pull();
        $releases->switchTo('r1');
        $served = new ServedCode($scratch . '/servers', $releases, $board);
        $run->atEnd($served->kill(...));
        $served->start();
        $wrong = [];
        $tried = array_fill_keys(Attacks::NAMES, 0);
        $switched = 1;
        $isMissed = static fn(array $wrong): bool => $missing !== MissingGuard::None
            && ($wrong !== [] || $board->sum(Count::Mixes) > 0);
        for (; $switched < $run->number('releases') && !$isMissed($wrong); ++$switched) {
            if ($switched % self::ATTACK_EACH === 0) {
                $attack = Attacks::NAMES[intdiv($switched, self::ATTACK_EACH) % \count(Attacks::NAMES)];
                $complaint = $attacks->run($attack, $scratch . '/source', $push);
                ++$tried[$attack];
                if ($complaint !== null) {
                    $wrong[] = "$attack at r$number: $complaint";
                }
                $releases->alone(static fn() => $releases->prune(3, self::RUNNING));
            }
            $push();
            $release = $attacks->puller()->pull()->release;
            $served->warm($release);
            $releases->alone(static fn() => $releases->switchTo($release));
            if ($switched % 100 === 0) {
                $run->tell("$switched releases, " . $board->sum(Count::Requests) . ' requests');
            }
        }
        $isRoot = posix_geteuid() === 0;
        $complaint = $isRoot ? FullDisk::attack($scratch, $pool) : null;
        $wrong = $complaint === null ? $wrong : [...$wrong, $complaint];
        // The last release must be what everybody gets.
        usleep(200_000);
        $wrong = [...$wrong, ...$served->stop()];

        return self::result($board, $switched, $number, $tried + ['full disk' => $isRoot ? 1 : 0], $wrong);
    }

    /**
     * @param array<string, int> $tried attacks by name
     * @param list<string>       $wrong
     */
    private static function result(Board $board, int $switched, int $number, array $tried, array $wrong): Result
    {
        [$mixes, $errors] = [$board->sum(Count::Mixes), $board->sum(Count::Errors)];
        $requests = $board->sum(Count::Requests);
        if ($board->max(Count::Highest) !== $number) {
            $wrong[] = 'the last release was not seen by a reader';
        }
        $told = [];
        foreach ($tried as $name => $count) {
            $told[] = "$name $count";
        }

        return new Result(
            [
                'releases' => $switched,
                'requests' => $requests,
                'mixes' => $mixes,
                'errors' => $errors,
                'attacks' => $told,
                'wrong' => $wrong,
            ],
            \sprintf(
                '%d releases switched under %d requests: %d mixes, %d errors; %d attacks, %d not met as they must be',
                $switched,
                $requests,
                $mixes,
                $errors,
                array_sum($tried),
                \count($wrong),
            ),
            $mixes + $errors + \count($wrong) === 0,
            $requests > 10 * $switched && !\in_array(0, $tried, true),
            'There were few requests, or an attack was not tried (a full disk needs root).',
        );
    }

    /** @param array<string, string> $files */
    private static function write(string $directory, array $files): void
    {
        foreach ($files as $path => $bytes) {
            if (!is_dir(\dirname("$directory/$path"))) {
                mkdir(\dirname("$directory/$path"), recursive: true);
            }
            file_put_contents("$directory/$path", $bytes);
        }
    }
}
