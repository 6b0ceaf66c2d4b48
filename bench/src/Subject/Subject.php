<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

use Larder\Bench\Exception\Failed;

/**
 * A client (or a serializer, or a page) that is measured. One small class and a line in the Catalogue; the further
 * interfaces of this namespace say what it can do, and a test that needs more shows it as absent.
 *
 * Anything that goes wrong is an exception (Failed, or the client's own): never a false or a warning, so that a refused
 * set cannot pass for a fast one.
 */
interface Subject
{
    /** Called in each worker, after the fork. Opens connections and does not return before they stand. */
    public function connect(Context $context): void;

    public function close(): void;
}
