<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Stampede\CacheTable;
use Larder\Testbed\Server\Endpoint;
use Throwable;

/**
 * What the script in php-fpm has to do, in a file. A request only names the file.
 *
 * So no request can make the script do anything that the bench did not write: the file must belong to root or to the
 * account of php-fpm, and no other account may be able to write it.
 */
final readonly class ClientStep
{
    public const DONE = 'ok';
    public const WRONG = 'wrong: ';

    /** The status if the subject cannot do the step. */
    public const ABSENT = 501;
    private const NAME = '~/order-[0-9a-f]{16}$~D';
    private const LONGEST = 65_536;

    /** @param bool $fills true: it stores what the steps will read, and does no step */
    public function __construct(
        private Job $job,
        private Operations $operations,
        private bool $fills = false,
    ) {}

    /** @return string the file's path */
    public function write(): string
    {
        $text = $this->operations::class . "\n" . serialize([$this->job, $this->operations, $this->fills]);
        $path = $this->job->directory . '/order-' . hash('xxh3', $text);
        // A request of the window before may still read the old file.
        $new = $path . '.' . getmypid();
        if (@file_put_contents($new, $text) !== \strlen($text) || !chmod($new, 0o644) || !rename($new, $path)) {
            throw new Failed(\sprintf('%s cannot be written', $path));
        }

        return $path;
    }

    /** @throws Failed when it is no file of the bench */
    public static function read(string $path): self
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

        return new self($order[0], $order[1], ($order[2] ?? false) === true);
    }

    /**
     * Each process of php-fpm is one worker with its own keys, since it has one request at a time.
     *
     * @return array{int, string} status and body
     */
    public function answer(): array
    {
        try {
            $id = $this->job->subject;
            $definition = CacheTable::hasSubject($id)
                ? (new Catalogue(CacheTable::subjects()))->get($id)
                : Catalogue::withOnly($id)->get($id);
            $subject = ($definition->make)();
            $subject->connect($this->job->context((int) getmypid()));
            if ($this->fills || !$definition->shared) {
                $this->operations->fill($subject, $this->job);
            }
            if (!$this->fills) {
                ($this->operations->step($subject, $this->job, (int) getmypid())->run)();
            }
            $subject->close();

            return [200, self::DONE];
        } catch (WrongReply $wrong) {
            return [200, self::WRONG . $wrong->getMessage()];
        } catch (NotApplicable $absent) {
            return [self::ABSENT, $absent->getMessage()];
        } catch (Throwable $thrown) {
            return [500, (new \ReflectionClass($thrown))->getShortName() . ': ' . $thrown->getMessage()];
        }
    }
}
