<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\InProcess;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Stampede\HandWrittenCaches;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Load\Target;
use Larder\Testbed\Server\Endpoint;
use ReflectionClass;
use Throwable;

/**
 * A script in php-fpm that connects a client, does one step of some operations, and answers "ok" if all replies to the
 * client were right. php-fpm is the last of the endpoints of the job; the others are the servers of the subject.
 *
 * A file says what the script has to do. So no request can make the script do anything that the bench did not write:
 * the file must belong to root or to the account of php-fpm, and no other account may be able to write it.
 */
final readonly class ClientTargets
{
    /** Path below the directory that php-fpm serves. */
    private const SCRIPT = '/client/step.php';

    private const DONE = 'ok';
    private const WRONG = 'wrong: ';

    /** The status if the subject cannot do the step. */
    private const ABSENT = 501;

    private const NAME = '~/order-[0-9a-f]{16}$~D';
    private const LONGEST = 65_536;

    private InProcess $inProcess;

    /** @param bool $ini true: php-fpm was started with the php.ini values of the subject */
    public function __construct(private Operations $operations, private bool $ini = false)
    {
        $this->inProcess = new InProcess($operations);
    }

    public function refuses(Definition $subject): ?string
    {
        return $subject->modules !== [] || isset($subject->ini['extension']) && !$this->ini
            ? 'its extension is not in the php.ini of php-fpm'
            : $this->inProcess->refuses($subject);
    }

    /** The script fills, too: php-fpm could not change files of another account. */
    public function prepare(Job $job, Definition $subject): void
    {
        $this->order($job, true);
    }

    public function target(Job $job, Definition $subject): Target
    {
        return $this->order($job, false);
    }

    /**
     * Writes what the script has to do to a file. A request only names the file.
     *
     * @param bool $fills true: it stores what the steps will read, and does no step
     *
     * @return string the file's path
     */
    public static function write(Job $job, Operations $operations, bool $fills = false): string
    {
        $text = $operations::class . "\n" . serialize([$job, $operations, $fills]);
        $path = $job->directory . '/order-' . hash('xxh3', $text);
        // A request of the window before may still read the old file.
        $new = $path . '.' . getmypid();
        if (@file_put_contents($new, $text) !== \strlen($text) || !chmod($new, 0o644) || !rename($new, $path)) {
            throw new Failed(\sprintf('%s cannot be written', $path));
        }

        return $path;
    }

    /**
     * Does what a file says, in the script. Each process of php-fpm is one worker with its own keys, since it has one
     * request at a time.
     *
     * @return array{int, string} status and body
     *
     * @throws Failed when it is no file of the bench
     */
    public static function answer(string $path): array
    {
        [$job, $operations, $fills] = self::read($path);
        try {
            $id = $job->subject;
            $definition = HandWrittenCaches::hasSubject($id)
                ? (new Catalogue(HandWrittenCaches::subjects()))->get($id)
                : Catalogue::withOnly($id)->get($id);
            $subject = ($definition->make)();
            $subject->connect($job->context((int) getmypid()));
            if ($fills || !$definition->shared) {
                $operations->fill($subject, $job);
            }
            if (!$fills) {
                ($operations->step($subject, $job, (int) getmypid())->run)();
            }
            $subject->close();

            return [200, self::DONE];
        } catch (WrongReply $wrong) {
            return [200, self::WRONG . $wrong->getMessage()];
        } catch (NotApplicable $absent) {
            return [self::ABSENT, $absent->getMessage()];
        } catch (Throwable $thrown) {
            return [500, (new ReflectionClass($thrown))->getShortName() . ': ' . $thrown->getMessage()];
        }
    }

    /** Writes what the script has to do, and requests it once. */
    private function order(Job $job, bool $fills): Target
    {
        [$own, $fpm] = self::split($job);
        $order = self::write($own, $this->operations, $fills);
        $url = ($fpm->extra['url'] ?? throw new Failed('php-fpm has no address')) . self::SCRIPT . '?'
            . http_build_query(['order' => $order]);
        $servers = [];
        foreach ($own->endpoints as $endpoint) {
            $servers = [...$servers, ...$endpoint->pids];
        }
        $target = new Target($url, self::DONE, [], $servers, $fpm->pids);
        $reply = Connection::fetch($url);
        if ($reply->status === self::ABSENT) {
            throw new NotApplicable($reply->body);
        }
        if ($reply->status !== 200) {
            throw new Failed(\sprintf('status %d, %s', $reply->status, Target::excerpt($reply->body)));
        }
        $fault = $target->fault($reply);

        return $fault === null ? $target : throw new WrongReply($fault);
    }

    /** @return array{Job, Endpoint} the job with the servers of the subject, and php-fpm */
    private static function split(Job $job): array
    {
        $endpoints = $job->endpoints;
        $fpm = array_pop($endpoints) ?? throw new NotApplicable('php-fpm was not started');
        // php-fpm may run under another account, and this is the one directory in which it may write.
        $directory = $job->directory . '/client';
        if (!is_dir($directory) && @mkdir($directory)) {
            chmod($directory, 0o1777);
        }

        return [
            new Job(
                $job->test,
                $job->subject,
                $job->parameters,
                $job->seconds,
                $job->block,
                $job->seed,
                $endpoints,
                $directory,
                $job->prefix,
                checked: $job->checked,
            ),
            $fpm,
        ];
    }

    /** @return array{Job, Operations, bool} */
    private static function read(string $path): array
    {
        $refusal = new Failed('no order of the bench');
        $file = preg_match(self::NAME, $path) === 1 && realpath($path) === $path ? @fopen($path, 'r') : false;
        if ($file === false) {
            throw $refusal;
        }
        // About the open file: a file that gets its name meanwhile is not checked by mistake.
        $about = fstat($file);
        if (
            $about === false
            || !\in_array($about['uid'], [0, posix_geteuid()], true)
            || ($about['mode'] & 0o170022) !== 0o100000
        ) {
            throw $refusal;
        }
        [$class, $text] = explode("\n", (string) stream_get_contents($file, self::LONGEST), 2) + ['', ''];
        if (!is_a($class, Operations::class, true)) {
            throw $refusal;
        }
        $order = @unserialize($text, ['allowed_classes' => [Job::class, Endpoint::class, $class]]);
        if (!\is_array($order) || !($order[0] ?? null) instanceof Job || !($order[1] ?? null) instanceof Operations) {
            throw $refusal;
        }

        return [$order[0], $order[1], ($order[2] ?? false) === true];
    }
}
